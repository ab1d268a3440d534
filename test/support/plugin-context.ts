import { Readable } from 'node:stream';
import type {
  AnyPlugin,
  CleanupContext,
  ContentType,
  EmittedArtifact,
  PluginContext,
  PluginFetch,
  PluginLog,
} from '../../plugins/sdk/index.js';
import { PluginFailure } from '../../plugins/sdk/index.js';
import { parseConfig } from '../../plugins/sdk/parse-config.js';

export interface PluginRun {
  readonly config?: unknown;
  /** The source's bytes, or what opens them. */
  readonly source?: Uint8Array | (() => Readable);
  readonly name?: string;
  readonly mediaType?: string | null;
  /** Artifacts of earlier steps, by type: a text, an object or a vector. */
  readonly inputs?: Readonly<Record<string, string | object | readonly unknown[]>>;
  readonly resourceId?: string;
  /** Which run of the resource it is; 1 when left out. */
  readonly run?: number;
  readonly deadline?: Date;
  readonly fetch?: PluginFetch;
  readonly signal?: AbortSignal;
}

export interface PluginCleanUp {
  readonly config?: unknown;
  readonly reason?: CleanupContext<unknown>['reason'];
  readonly resourceId?: string;
  readonly run?: number;
  /** The types of the artifacts that went away. */
  readonly artifacts?: readonly string[];
}

/** An artifact as Core would keep it, its content read to the end. */
export interface CollectedArtifact {
  readonly type: string;
  readonly content_type: EmittedArtifact['content_type'];
  readonly content: any;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface PluginOutcome {
  readonly artifacts: ReadonlyMap<string, CollectedArtifact>;
  readonly progress: readonly (readonly [fraction: number, message: string | undefined])[];
}

const aResource = '01890a5d-ac96-774b-bcce-b302099a8057';

const silent: PluginLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

function missing(type: string): never {
  throw new PluginFailure('MISSING_INPUT', `No earlier step made ${type}`, { retryable: false });
}

function contentTypeOf(content: string | object): ContentType {
  if (typeof content === 'string') return 'text';
  return Array.isArray(content) ? 'vector' : 'json';
}

async function collect({
  type,
  content_type,
  content,
  metadata,
}: EmittedArtifact): Promise<CollectedArtifact> {
  const head = { type, content_type, metadata: metadata ?? {} };
  if (typeof content !== 'object' || !(Symbol.asyncIterator in content)) return { ...head, content };
  const bytes = Buffer.concat(
    await Readable.from(content)
      .map((part: string | Uint8Array) => Buffer.from(part as string))
      .toArray(),
  );
  return { ...head, content: content_type === 'text' ? bytes.toString() : JSON.parse(bytes.toString()) };
}

/** Runs a plugin once, with all it needs of its host in memory. Throws what the plugin throws. */
export async function runPlugin(plugin: AnyPlugin, run: PluginRun): Promise<PluginOutcome> {
  const artifacts = new Map<string, CollectedArtifact>();
  const progress: (readonly [number, string | undefined])[] = [];
  const { source = new Uint8Array(), mediaType = null, inputs = {} } = run;
  const open = (): Readable =>
    typeof source === 'function' ? source() : Readable.from(Buffer.from(source), { objectMode: false });
  const input = (type: string): string | object => inputs[type] ?? missing(type);
  const read = async (type: string, expected: ContentType): Promise<any> => {
    const content = await Promise.resolve(type).then(input);
    if (contentTypeOf(content) === expected) return content;
    throw new PluginFailure('INVALID_INPUT', `${type} is not ${expected}`, { retryable: false });
  };
  const sizeBytes = typeof source === 'function' ? null : source.byteLength;
  const context: PluginContext<unknown> = {
    resource: {
      id: run.resourceId ?? aResource,
      name: run.name ?? 'Untitled',
      type: 'document',
      media_type: mediaType,
      size_bytes: sizeBytes,
      sha256: null,
    },
    run: run.run ?? 1,
    stepIndex: 0,
    attempt: { number: 1, max: 1, deadline: run.deadline ?? new Date(Date.now() + 3_600_000) },
    config: parseConfig(plugin.configSchema, run.config ?? {}),
    source: {
      mediaType,
      sizeBytes,
      stream: () => Promise.resolve(open()),
      buffer: async () => Buffer.concat(await open().toArray()),
    },
    inputs: {
      list: Object.keys(inputs).map((type) => ({
        artifact_id: type,
        type,
        content_type: contentTypeOf(input(type)),
      })),
      has: (type) => type in inputs,
      text: (type) => read(type, 'text'),
      json: (type) => read(type, 'json'),
      vector: (type) => read(type, 'vector'),
      stream: (type) =>
        Promise.resolve(type).then((wanted) => {
          const content = input(wanted);
          const bytes = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
          return Readable.from(bytes, { objectMode: false });
        }),
    },
    signal: run.signal ?? new AbortController().signal,
    log: silent,
    fetch: run.fetch ?? fetch,
    async emit(artifact) {
      artifacts.set(artifact.type, await collect(artifact));
    },
    progress: (fraction, message) => void progress.push([fraction, message]),
    fail: (code, message, options) => {
      throw new PluginFailure(code, message, options);
    },
  };
  await plugin.run(context as PluginContext<never>);
  return { artifacts, progress };
}

/** Has a plugin clean up, once. Throws what the plugin throws. */
export async function runCleanup(plugin: AnyPlugin, cleanUp: PluginCleanUp): Promise<void> {
  const context: CleanupContext<unknown> = {
    reason: cleanUp.reason ?? 'RESOURCE_DELETED',
    resource: { id: cleanUp.resourceId ?? aResource },
    run: cleanUp.run ?? 1,
    artifacts: (cleanUp.artifacts ?? plugin.produces).map((type) => ({ artifact_id: type, type })),
    config: parseConfig(plugin.configSchema, cleanUp.config ?? {}),
    signal: new AbortController().signal,
    log: silent,
    fetch,
  };
  await plugin.cleanup?.(context as CleanupContext<never>);
}
