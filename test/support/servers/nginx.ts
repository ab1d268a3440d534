import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { atExit } from '../at-exit.js';
import type { Authority } from './authority.js';
import { eventually } from '../eventually.js';
import { temporaryFolder } from '../temporary.js';
import type { TlsProxy } from '../network/tls-proxies.js';

/** The path of nginx; undefined if it is not installed. */
export const nginx = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  .map((folder) => join(folder, 'nginx'))
  .find((path) => existsSync(path));

/** Starts nginx with TLS in front of an API, with the location block from docs/operations.md. */
export async function startNginx(options: {
  readonly certificate: Authority['certificate'];
  readonly port: number;
  /** The host:port of the API. */
  readonly target: string;
}): Promise<TlsProxy> {
  const { certificate, port, target } = options;
  const [, location] = /```nginx\n([^`]*)```/.exec(readFileSync('docs/operations.md', 'utf8')) ?? [];
  assert.ok(location !== undefined, 'docs/operations.md shows how nginx is set up');
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'cert.pem'), certificate.cert);
  writeFileSync(join(folder, 'key.pem'), certificate.key);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/errors;
events {}
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${folder}/cert.pem;
    ssl_certificate_key ${folder}/key.pem;
    ${location.replace('127.0.0.1:8080', target)}
  }
}
`,
  );
  assert.ok(nginx !== undefined, 'nginx is not installed');
  const child = spawn(nginx, ['-p', folder, '-e', join(folder, 'errors'), '-c', join(folder, 'nginx.conf')], {
    stdio: 'ignore',
  });
  atExit(() => child.kill('SIGKILL'));
  await eventually(async () => {
    assert.equal(child.exitCode, null, readFileSync(join(folder, 'errors'), 'utf8'));
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect').finally(() => socket.destroy());
    return true;
  });
  return {
    address: `127.0.0.1:${port}`,
    async stop() {
      if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
    },
  };
}
