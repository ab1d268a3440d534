import assert from 'node:assert/strict';
import { ServiceError } from '../../core/errors.js';
import { checkUrl } from '../../runtime/outgoing/index.js';
import { forbiddenHosts } from '../support/network/forbidden-hosts.js';
import { isRefused, allowNone } from '../support/network/outgoing-site.js';

describe('a registered URL', () => {
  for (const [kind, ...hosts] of forbiddenHosts) {
    it(`must not point to a special address: ${kind}`, () => {
      for (const host of hosts) {
        for (const url of [`http://${host}/`, `https://${host}:8443/x`, `HTTP://${host}?q`]) {
          assert.throws(() => checkUrl(url, allowNone), isRefused('URL_NOT_ALLOWED'), url);
        }
      }
    });
  }

  it('may point to the public internet', () => {
    for (const url of [
      'http://example.com',
      'https://example.com:8443/a?b#c',
      'http://8.8.8.8/',
      'http://172.32.0.1',
      'http://[2606:4700::1111]/',
      'http://[::ffff:8.8.8.8]/',
      'http://[64:ff9b::8.8.8.8]/',
      'http://localhost.example.com',
      'http://notlocalhost/',
      'http://bücher.example/',
    ]) {
      assert.equal(checkUrl(url, allowNone).href, new URL(url).href);
    }
  });

  it('may contain international characters, however often it is checked', () => {
    for (let asked = 0; asked < 50_000; asked++) checkUrl('http://b\u00fccher.example/', allowNone);
  });

  it('must use the scheme http or https', () => {
    for (const url of [
      'file:///etc/passwd',
      'ftp://example.com/',
      'gopher://example.com/',
      'data:text/plain,x',
      'javascript:alert(1)',
      'ws://example.com',
      'blob:http://example.com/x',
    ]) {
      assert.throws(() => checkUrl(url, { allow: ['example.com'] }), isRefused('URL_NOT_ALLOWED'), url);
    }
  });

  it('must not contain a user name or password', () => {
    for (const url of [
      'http://user@example.com/',
      'http://user:password@example.com/',
      'http://:password@example.com/',
      'http://example.com@127.0.0.1/',
    ]) {
      assert.throws(() => checkUrl(url, { allow: ['example.com'] }), isRefused('URL_NOT_ALLOWED'), url);
    }
  });

  it('must be a valid URL', () => {
    for (const url of [
      '',
      'example.com',
      '/path',
      'http://',
      'http://256.1.1.1/',
      'http://[::1',
      'http://[fe80::1%25eth0]/',
      'http://exa mple.com/',
    ]) {
      assert.throws(
        () => checkUrl(url, allowNone, '/source/uri'),
        (error) => {
          assert.ok(error instanceof ServiceError);
          assert.equal(error.code, 'VALIDATION_FAILED');
          assert.deepEqual(error.details, {
            errors: [{ path: '/source/uri', message: 'must be an absolute URL' }],
          });
          return true;
        },
      );
    }
  });

  it('may point to allowed hosts, as written in the URL', () => {
    const allowed: [entry: string, url: string, yes: boolean][] = [
      ['localhost', 'http://localhost:1234/', true],
      ['LocalHost', 'http://LOCALHOST/', true],
      ['localhost:80', 'http://localhost/', true],
      ['localhost:80', 'https://localhost/', false],
      ['localhost:443', 'https://localhost/', true],
      ['localhost:8080', 'http://localhost:8080/x', true],
      ['localhost:8080', 'http://localhost:8081/x', false],
      ['localhost', 'http://a.localhost/', false],
      ['localhost', 'http://127.0.0.1/', false],
      ['10.0.0.5', 'http://10.0.0.5:99/', true],
      ['10.0.0.5', 'http://10.0.0.50/', false],
      ['[::1]', 'http://[0:0::1]:5/', true],
      ['[::1]:5', 'http://[::1]:5/', true],
      ['[::1]:5', 'http://[::1]:6/', false],
      ['::1', 'http://[::1]/', false],
      ['', 'http://localhost/', false],
      ['*', 'http://localhost/', false],
    ];
    for (const [entry, url, yes] of allowed) {
      const check = (): URL => checkUrl(url, { allow: ['other', entry] });
      if (yes) check();
      else assert.throws(check, isRefused('URL_NOT_ALLOWED'), `${entry} must not allow ${url}`);
    }
  });
});
