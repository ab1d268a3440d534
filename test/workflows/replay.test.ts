import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { Worker, type ReplayWorkerOptions } from '@temporalio/worker';
import '../support/workers/quiet-worker.js';

const folder = resolve('test/replay');

const optionsOf = (bundle: string): ReplayWorkerOptions => ({
  workflowBundle: { codePath: resolve(`dist/${bundle}.js`) },
  sinks: { exporter: { export: { fn: () => undefined } } },
});

interface History {
  readonly workflowId: string;
  readonly history: unknown;
}

/** Every recorded history, under its path. */
function histories(): History[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith('.json'))
    .map(({ parentPath, name }) => ({
      workflowId: relative(folder, join(parentPath, name)),
      history: JSON.parse(readFileSync(join(parentPath, name), 'utf8')),
    }));
}

/** The paths of those that do not fit the workflows of today, and why. */
async function misfits(bundle: string, given: readonly History[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  let replayed = 0;
  for await (const { workflowId, error } of Worker.runReplayHistories(optionsOf(bundle), given)) {
    replayed++;
    if (error !== undefined) found[workflowId] = error.message;
  }
  assert.equal(replayed, given.length);
  return found;
}

describe('workflows that a release started', () => {
  // Tracing may be switched on, and off again, while a run is at work.
  for (const bundle of ['workflow-bundle', 'workflow-bundle-traced'])
    it(`replay every recorded history: ${bundle}`, async () => {
      const recorded = histories();
      assert.ok(recorded.length >= 14, `${recorded.length}`);
      assert.deepEqual(await misfits(bundle, recorded), {});
    });

  it('are distinguished from workflows that do not match', async () => {
    const changed = histories().find(({ workflowId }) => workflowId.endsWith('two-built-in-steps.json'))!;
    const { events } = changed.history as {
      events: { activityTaskScheduledEventAttributes?: { activityType: { name: string } } }[];
    };
    for (const { activityTaskScheduledEventAttributes: scheduled } of events)
      if (scheduled) scheduled.activityType.name = 'somethingElse';
    const found = await misfits('workflow-bundle', [changed]);
    assert.match(found[changed.workflowId] ?? '', /[Nn]ondeterminism/);
  });
});
