import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { isSigningSecret } from '@knowledge-warehouse/plugin/signing';
import { CommandError, UsageError } from '../../exit.js';
import { isObject, parseJson, parseUrl } from '@knowledge-warehouse/plugin/protocol';
import type { CheckOptions, Content, InputContent, Material } from '@knowledge-warehouse/plugin/conformance';

/** The options of `kw plugins check`, unparsed. */
export interface CheckFlags {
  readonly secret?: string;
  readonly config?: string;
  readonly source?: string;
  readonly mediaType?: string;
  readonly input?: readonly string[];
  readonly failingSource?: string;
  readonly failingConfig?: string;
  readonly pluginId: string;
  readonly heartbeatSeconds?: number;
  readonly timeout: number;
  readonly listen: string;
  readonly publicUrl?: string;
  readonly activity: boolean;
  readonly start?: string;
  readonly temporal?: string;
  readonly namespace: string;
  readonly taskQueue?: string;
  readonly activityType?: string;
  readonly json: boolean;
}

const plainText = 'text/plain; charset=utf-8';
const sample = `# The lighthouse\n\nA lighthouse stands at the end of the pier.\n\n## The keeper\n\nThe keeper of the lighthouse lights the lamp.\n`;

const mediaTypes: Readonly<Record<string, string>> = {
  '.txt': plainText,
  '.md': 'text/markdown; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
};

/** Reads the inputs for a worker: what it must process and what must fail. Throws CommandError for invalid files. */
export function readMaterials(flags: CheckFlags): Pick<CheckOptions, 'material' | 'failing'> {
  const material: Material = {
    source: readSource(flags.source, flags.mediaType),
    inputs: (flags.input ?? []).map(readInput),
    config: flags.config === undefined ? {} : readObject(flags.config),
  };
  const failing: Material[] = [];
  if (flags.failingSource !== undefined)
    failing.push({ ...material, source: readSource(flags.failingSource, flags.mediaType) });
  if (flags.failingConfig !== undefined)
    failing.push({ ...material, config: readObject(flags.failingConfig) });
  return { material, failing };
}

/** Parses the options for an HTTP worker. Throws UsageError for invalid ones. */
export function readFlags(endpoint: string, flags: CheckFlags): Omit<CheckOptions, 'onRule'> {
  if (parseUrl(endpoint) === null || !/^https?:/.test(endpoint))
    throw new UsageError(`${endpoint} is not the http or https URL of a worker.`);
  const { secret } = flags;
  if (secret === undefined)
    throw new UsageError('Give the signing secret of the worker: --secret, or KW_SIGNING_SECRET.');
  if (!isSigningSecret(secret))
    throw new UsageError(
      'The secret must be whsec_ followed by at least 16 bytes in base64, as in the KW_SIGNING_SECRET of the worker.',
    );
  return {
    endpoint,
    secret,
    ...readMaterials(flags),
    pluginId: flags.pluginId,
    timeoutMs: flags.timeout * 1000,
    heartbeatSeconds: flags.heartbeatSeconds,
    listen: readListen(flags.listen),
    publicUrl: flags.publicUrl,
  };
}

function readSource(path: string | undefined, mediaType: string | undefined): Content {
  if (path === undefined) return { bytes: Buffer.from(sample), media_type: mediaType ?? plainText };
  const known = mediaTypes[extname(path).toLowerCase()];
  return { bytes: read(path), media_type: mediaType ?? known ?? 'application/octet-stream' };
}

function readInput(flag: string): InputContent {
  const [, type, path] = /^([^=]+)=(.+)$/.exec(flag) ?? [];
  if (type === undefined || path === undefined) throw new UsageError(`--input takes type=file, not ${flag}.`);
  const bytes = read(path);
  if (!path.endsWith('.json')) return { type, content_type: 'text', bytes, media_type: plainText };
  const content_type = path.endsWith('.vector.json') ? 'vector' : 'json';
  return { type, content_type, bytes, media_type: 'application/json' };
}

function readObject(path: string): Record<string, unknown> {
  const value = parseJson(read(path));
  if (value === undefined) throw new CommandError(`${path} is not JSON.`);
  if (!isObject(value)) throw new CommandError(`${path} must contain a JSON object.`);
  return value;
}

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

/** Parses HOST:PORT. Throws UsageError. */
export function readListen(address: string): CheckOptions['listen'] {
  const [, host, port] = /^\[?(.+?)\]?:(\d{1,5})$/.exec(address) ?? [];
  if (host === undefined || Number(port) > 65_535)
    throw new UsageError(`--listen takes host:port, not ${address}.`);
  return { host, port: Number(port) };
}
