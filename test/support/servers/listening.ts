import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** An address on which a process accepts connections. */
export interface Listening {
  readonly host: string;
  readonly port: number;
}

/** Returns the addresses on which a process listens (Linux only). */
export function listeningOf(pid: number): Listening[] {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return [];
      }
    }),
  );
  return ['tcp', 'tcp6'].flatMap((family) =>
    readFileSync(`/proc/net/${family}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode = '']) => state === '0A' && sockets.has(inode))
      .map(([, address = '']) => {
        const [ip = '', port = ''] = address.split(':');
        const bytes = Buffer.from(ip, 'hex').reverse();
        return { host: family === 'tcp' ? bytes.join('.') : ip, port: Number.parseInt(port, 16) };
      }),
  );
}
