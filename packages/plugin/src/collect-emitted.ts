import { Readable } from 'node:stream';
import { isFloat32Array, isFloat64Array } from 'node:util/types';
import { checkArtifact } from './check-artifact.js';
import { invalidResult } from './plugin-failure.js';
import type { EmittedArtifact } from './types.js';

/** The maximum number of artifacts of a step. */
const mostArtifacts = 100;

/** The artifacts that a plugin has emitted so far, each in the form in which its host took it. */
export interface Emitted<Taken> {
  readonly emit: (artifact: EmittedArtifact) => Promise<void>;
  /**
   * Waits until every artifact has been taken, and returns them in the order in which they were emitted. Throws the
   * first error of an artifact that the plugin did not await. Artifacts that are emitted later go to `onLate`.
   */
  readonly complete: () => Promise<readonly Taken[]>;
}

/** What `emit` returns. It records whether the plugin awaits it, and so sees a failure. */
class Submission extends Promise<void> {
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }
  isAwaited = false;
  override then: Promise<void>['then'] = (resolved, rejected) => {
    this.isAwaited = true;
    return super.then(resolved, rejected);
  };
}

/** The stream of an artifact, which may be anything in JavaScript. */
const streamOf = (artifact: Partial<EmittedArtifact> | null | undefined): Readable | null =>
  artifact?.content instanceof Readable ? artifact.content : null;

// A test runner may run a plugin in another realm, which has its own classes.
const toPlain = <Row>(row: Row): Row | number[] =>
  isFloat32Array(row) || isFloat64Array(row) ? Array.from(row) : row;

/** Returns an artifact whose vectors are arrays: models return typed arrays, whose numbers convert without loss. */
function withArrays(artifact: EmittedArtifact): EmittedArtifact {
  // Anything may be emitted in JavaScript.
  if ((artifact as EmittedArtifact | null | undefined)?.content_type !== 'vector') return artifact;
  const { content } = artifact;
  const rows: unknown = Array.isArray(content) ? content.map(toPlain) : toPlain(content);
  return { ...artifact, content: rows } as EmittedArtifact;
}

/** Checks each artifact that a plugin emits, and hands it over to `take`. */
export function collectEmitted<Taken>(
  take: (artifact: EmittedArtifact) => Promise<Taken>,
  onLate: (artifact: EmittedArtifact) => void,
): Emitted<Taken> {
  /** Null: refused or not complete. */
  const artifacts: ({ readonly taken: Taken } | null)[] = [];
  const types = new Set<string>();
  const underway = new Set<Promise<void>>();
  const failed: { readonly submission: Submission; readonly error: unknown }[] = [];
  let isComplete = false;

  const add = async (given: EmittedArtifact): Promise<void> => {
    const artifact = withArrays(given);
    checkArtifact(artifact);
    if (types.has(artifact.type)) throw invalidResult(`The plugin emitted two artifacts ${artifact.type}.`);
    if (types.size >= mostArtifacts) throw invalidResult(`A step has at most ${mostArtifacts} artifacts.`);
    types.add(artifact.type);
    const place = artifacts.push(null) - 1;
    try {
      artifacts[place] = { taken: await take(artifact) };
    } catch (error) {
      // The plugin may emit another artifact of this type instead.
      types.delete(artifact.type);
      throw error;
    }
  };

  return {
    emit(artifact) {
      // Node.js ends the process if a stream fails before anybody reads it. Who reads it later still gets the error.
      streamOf(artifact)?.on('error', () => undefined);
      if (isComplete) {
        onLate(artifact);
        return Promise.resolve();
      }
      const adding = add(artifact);
      const submission = new Submission((resolve, reject) => void adding.then(resolve, reject));
      const ended = adding
        .catch((error: unknown) => {
          failed.push({ submission, error });
          // It may not have been read, and holds a file open.
          streamOf(artifact)?.destroy();
        })
        .finally(() => underway.delete(ended));
      underway.add(ended);
      // Node.js ends the process for a rejection without a handler. This handler does not count as an await.
      void Promise.prototype.then.call(submission, undefined, () => undefined);
      return submission;
    },
    async complete() {
      while (underway.size > 0) await Promise.all(underway);
      isComplete = true;
      const unseen = failed.find(({ submission }) => !submission.isAwaited);
      if (unseen !== undefined) throw unseen.error;
      return artifacts.flatMap((artifact) => (artifact === null ? [] : [artifact.taken]));
    },
  };
}
