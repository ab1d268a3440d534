import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** HEALTHCHECK of the image, run here: what it says of a process. In the image that is the process 1. */
export const healthCheck = async (pid: number, settings: Record<string, string>): Promise<string> => {
  const instruction = /^HEALTHCHECK [^[]*CMD (\[.*\])$/m.exec(
    readFileSync('Dockerfile', 'utf8').replaceAll('\\\n', ''),
  );
  const [program, ...args] = JSON.parse(instruction?.[1] ?? '[]') as string[];
  return await promisify(execFile)(program!, [...args, '--of', String(pid)], { env: settings }).then(
    () => 'healthy',
    (error: unknown) => (error as { readonly stderr: string }).stderr,
  );
};
