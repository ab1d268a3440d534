import assert from 'node:assert/strict';
import { startApi } from '../support/service/api.js';
import { eventually } from '../support/eventually.js';
import { startTemporal } from '../support/servers/temporal.js';

describe('a run that Temporal rejects', () => {
  it('shows why it does not start', async () => {
    const { config } = await startTemporal();
    const env = { TEMPORAL_ADDRESS: config.address, TEMPORAL_NAMESPACE: 'nowhere' };
    const api = await startApi({ workflows: null, env });
    const plugin = { name: 'O', kind: 'activity', task_queue: 'ocr', activity_type: 'recognise' };
    await api.call('PUT', '/plugins/ocr', plugin);
    const pipeline = { name: 'P', trigger_type: 'text', steps: [{ plugin_id: 'ocr' }] };
    await api.call('POST', '/pipelines', pipeline);
    const { body: resource } = await api.upload({ type: 'text' });
    const waiting = await eventually(async () => {
      const [step] = (await api.call('GET', `/resources/${resource.id}`)).body.steps;
      return /could not be sent/.test(step.waiting_for?.message) && step.waiting_for;
    });
    await api.stop();
    assert.deepEqual(waiting, {
      kind: 'worker',
      until: null,
      task_queue: 'kw-core',
      message:
        "The start of the run could not be sent to Temporal and is being retried: Namespace not found: 'nowhere'",
    });
  });
});
