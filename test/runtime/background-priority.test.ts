import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { workInBackground } from '../../runtime/background-priority.js';

describe('the priority of background work', () => {
  /** Runs a shell that leads a new session, and another process in it. */
  async function inNewSession(use: (leader: number, member: number) => void): Promise<void> {
    const child = spawn('sh', ['-c', 'sleep 60 & echo $!; wait'], { detached: true });
    const ended = once(child, 'exit');
    try {
      const [member] = (await once(child.stdout, 'data')) as [Buffer];
      use(Number(child.pid), Number(member.toString()));
    } finally {
      process.kill(-Number(child.pid), 'SIGKILL');
      await ended;
    }
  }

  /** The niceness of a process's session; null on systems where sessions have none. */
  function sessionNiceness(pid: number): number | null {
    const file = `/proc/${pid}/autogroup`;
    return existsSync(file) ? Number(/nice (-?\d+)/.exec(readFileSync(file, 'utf8'))?.[1]) : null;
  }

  it('lowers the priority of a process and of the session that it leads', async () => {
    await inNewSession((leader) => {
      const usual = sessionNiceness(leader);
      workInBackground(leader);
      assert(getPriority(leader) > 0);
      assert.equal(sessionNiceness(leader), usual === null ? null : getPriority(leader));
    });
  });

  it('leaves a session alone that another process leads', async () => {
    await inNewSession((_, member) => {
      const usual = sessionNiceness(member);
      workInBackground(member);
      assert(getPriority(member) > 0);
      assert.equal(sessionNiceness(member), usual);
    });
  });

  it('ignores a process that has ended', async () => {
    const child = spawn('true');
    await once(child, 'exit');
    workInBackground(Number(child.pid));
  });
});
