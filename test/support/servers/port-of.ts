import type { ChildProcess } from 'node:child_process';

/** Waits until a program prints the port it listens on, and returns the port. */
export async function portOf(program: ChildProcess): Promise<string> {
  let said = '';
  return await new Promise((found, failed) => {
    const look = (chunk: Buffer): void => {
      said += chunk.toString();
      const port = /(?:127\.0\.0\.1:|port )(\d+)/.exec(said)?.[1];
      if (port !== undefined) found(port);
    };
    program.stdout?.on('data', look);
    program.stderr?.on('data', look);
    program.once('exit', () => failed(new Error(`It ended: ${said}`)));
  });
}
