import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

/** Logs one line in a process of its own and returns it. */
function logged(format: 'json' | 'pretty'): string {
  const script = `
    import { createLogger } from './runtime/logging.ts';
    const log = createLogger({ logLevel: 'info', logFormat: '${format}' }, { process: 'api' });
    log.debug('unheard');
    log.info({
      token: 'sesame',
      body: { login_token: 'sesame', api_key: 'sesame' },
      req: { headers: { authorization: 'Bearer sesame', cookie: 'kw_session=sesame', accept: 'json' } },
      res: { headers: { 'set-cookie': ['kw_session=sesame'] } },
    }, 'hello');`;
  return execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
}

describe('logging', () => {
  it('writes one JSON object per line, without secrets', () => {
    const lines = logged('json').trim().split('\n');
    assert.equal(lines.length, 1);
    const { time, ...rest } = JSON.parse(lines[0]!) as Record<string, unknown>;
    assert(Math.abs(Date.parse(time as string) - Date.now()) < 60_000);
    assert.deepEqual(rest, {
      level: 'info',
      process: 'api',
      token: '[redacted]',
      body: { login_token: '[redacted]', api_key: '[redacted]' },
      req: { headers: { authorization: '[redacted]', cookie: '[redacted]', accept: 'json' } },
      res: { headers: { 'set-cookie': '[redacted]' } },
      msg: 'hello',
    });
  });

  it('writes for people when asked to', () => {
    const output = logged('pretty');
    assert.match(output, /INFO.*hello/);
    assert(!output.includes('sesame'));
  });
});
