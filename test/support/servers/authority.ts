import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../temporary.js';

const run = promisify(execFile);

/** A private certificate authority, and a certificate for 127.0.0.1 and localhost that it signed. */
export interface Authority {
  /** The path of the authority's own certificate in PEM. */
  readonly caFile: string;
  readonly certificate: { readonly key: string; readonly cert: string };
}

/** Creates an authority with openssl. */
export async function createAuthority(): Promise<Authority> {
  const folder = temporaryFolder();
  const at = (name: string): string => join(folder, name);
  const openssl = (...args: readonly string[]): Promise<unknown> => run('openssl', args, { cwd: folder });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  await openssl(
    ...['req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2'],
    ...['-subj', '/CN=Authority of the tests'],
  );
  await openssl(
    ...['req', ...newKey, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=localhost'],
  );
  writeFileSync(at('names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
  await openssl(
    ...['x509', '-req', '-in', 'server.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
    ...['-out', 'server.pem', '-days', '2', '-extfile', 'names'],
  );
  const read = (name: string): string => readFileSync(at(name), 'utf8');
  return { caFile: at('ca.pem'), certificate: { key: read('server.key'), cert: read('server.pem') } };
}
