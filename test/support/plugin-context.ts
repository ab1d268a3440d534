import { Readable } from 'node:stream';
import type { AnyPlugin, EmittedArtifact, PluginContext, PluginLog } from '../../plugins/sdk/index.js';
import { PluginFailure } from '../../plugins/sdk/index.js';

export interface PluginRun {
  readonly config?: unknown;
  /** The source's bytes, or what opens them. */
  readonly source?: Uint8Array | (() => Readable);
  readonly name?: string;
  readonly mediaType?: string | null;
  /** Text artifacts of earlier steps, by type. */
  readonly inputs?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface PluginOutcome {
  readonly artifacts: ReadonlyMap<string, EmittedArtifact>;
  readonly progress: readonly (readonly [fraction: number, message: string | undefined])[];
}

const silent: PluginLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

function missing(type: string): never {
  throw new PluginFailure('MISSING_INPUT', `No earlier step made ${type}`, { retryable: false });
}

/** Runs a plugin once, with all it needs of its host in memory. Throws what the plugin throws. */
export async function runPlugin(plugin: AnyPlugin, run: PluginRun): Promise<PluginOutcome> {
  const artifacts = new Map<string, EmittedArtifact>();
  const progress: (readonly [number, string | undefined])[] = [];
  const { source = new Uint8Array(), mediaType = null, inputs = {} } = run;
  const open = (): Readable =>
    typeof source === 'function' ? source() : Readable.from(Buffer.from(source), { objectMode: false });
  const input = (type: string): string => inputs[type] ?? missing(type);
  const sizeBytes = typeof source === 'function' ? null : source.byteLength;
  const context: PluginContext<unknown> = {
    resource: {
      id: '01890a5d-ac96-774b-bcce-b302099a8057',
      name: run.name ?? 'Untitled',
      type: 'document',
      media_type: mediaType,
      size_bytes: sizeBytes,
      sha256: null,
    },
    run: 1,
    stepIndex: 0,
    attempt: { number: 1, max: 1, deadline: new Date(Date.now() + 3_600_000) },
    config: run.config ?? {},
    source: {
      mediaType,
      sizeBytes,
      stream: () => Promise.resolve(open()),
      buffer: async () => Buffer.concat(await open().toArray()),
    },
    inputs: {
      list: Object.keys(inputs).map((type) => ({ artifact_id: type, type, content_type: 'text' })),
      has: (type) => type in inputs,
      text: (type) => Promise.resolve(type).then(input),
      json: (type) => Promise.resolve(type).then(missing),
      vector: (type) => Promise.resolve(type).then(missing),
      stream: (type) =>
        Promise.resolve(type).then((wanted) =>
          Readable.from(Buffer.from(input(wanted)), { objectMode: false }),
        ),
    },
    signal: run.signal ?? new AbortController().signal,
    log: silent,
    emit: (artifact) => Promise.resolve(void artifacts.set(artifact.type, artifact)),
    progress: (fraction, message) => void progress.push([fraction, message]),
    fail: (code, message, options) => {
      throw new PluginFailure(code, message, options);
    },
  };
  await plugin.run(context as PluginContext<never>);
  return { artifacts, progress };
}
