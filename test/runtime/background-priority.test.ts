import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { workInBackground } from '../../runtime/background-priority.js';

describe('the priority of background work', () => {
  const sessionNiceness = (pid: number): string =>
    /nice (-?\d+)/.exec(readFileSync(`/proc/${pid}/autogroup`, 'utf8'))?.[1] ?? 'none';

  for (const detached of [true, false])
    it(`lowers the priority of a process ${detached ? 'and of the session that it leads' : 'but not of the session that it shares'}`, async () => {
      const child = spawn('sleep', ['60'], { stdio: 'ignore', detached });
      const pid = Number(child.pid);
      try {
        const usual = getPriority(pid);
        workInBackground(pid);
        assert(getPriority(pid) > usual);
        // Other systems and some kernels have no priorities of sessions.
        if (!existsSync(`/proc/${pid}/autogroup`)) return;
        const expected = detached ? String(getPriority(pid)) : sessionNiceness(process.pid);
        assert.equal(sessionNiceness(pid), expected);
      } finally {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    });

  it('ignores a process that has ended', async () => {
    const child = spawn('true', { stdio: 'ignore' });
    await once(child, 'exit');
    workInBackground(Number(child.pid));
  });
});
