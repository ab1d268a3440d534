import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { eventually } from '../support/eventually.js';
import { startHttpWorker, type HttpWorker } from '../support/workers/http-worker.js';
import { askedBy, seriesOf } from '../support/service/promql.js';
import { createRestClient } from '../support/service/rest-client.js';
import type { TestStack } from '../support/service/stack.js';

const read = (path: string): string => readFileSync(new URL(`../../docker/${path}`, import.meta.url), 'utf8');

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

/** What Prometheus itself adds to every series of a scrape. */
const added = new Set(['job', 'instance']);

/** Declares the tests of what a new stack measures. Its worker's metrics, and those of Temporal's SDK, are at these addresses. */
export const describeMetrics = (
  stackOf: () => { readonly stack: TestStack; readonly ours: string; readonly temporal: string },
): unknown =>
  describe('the metrics that Prometheus scrapes from it', () => {
    let worker: HttpWorker;
    let scrape: () => Promise<string>;

    before(async () => {
      worker = await startHttpWorker();
      const { stack, ours, temporal } = stackOf();
      const client = createRestClient(stack);
      // One run that fails at its second attempt, whose plugin still has something to clean up, and one that goes on.
      const plugin = { id: 'moody', name: 'Moody', kind: 'http', endpoint: worker.endpoint };
      await client.expect(201, 'POST', '/plugins', plugin);
      worker.answer = () => ({ status: 500 });
      const steps = [{ plugin_id: 'moody', max_attempts: 2, backoff_seconds: 0, timeout_seconds: 600 }];
      await client.expect(201, 'POST', '/pipelines', { name: 'Moody', trigger_type: 'moody', steps });
      worker.handle = () => ({ status: 503 });
      const failed = await client.upload('moody', { text: 'no' });
      assert.equal((await client.settled(failed.id)).status, 'FAILED');
      await client.expect(204, 'DELETE', `/resources/${failed.id}`);
      worker.handle = () => ({ status: 202 });
      await client.upload('moody', { text: 'later' });
      assert.equal(
        (await client.settled((await client.upload('document', { text: 'yes' })).id)).status,
        'COMPLETED',
      );
      await client.call('GET', '/resources/none');
      await client.call('GET', '/search?q=yes');
      const authorization = `Bearer ${stack.adminKey}`;
      const of = async (url: string): Promise<string> =>
        await (await fetch(url, { headers: { authorization } })).text();
      scrape = async () =>
        (
          await Promise.all([
            of(`${stack.api}/metrics`),
            of(`http://${ours}/metrics`),
            of(`http://${temporal}/metrics`),
          ])
        ).join('\n');
      await eventually(async () => (await scrape()).includes('kw_pending_clean_ups{plugin="moody"}'));
    });
    after(() => worker.stop());

    /** Those of the metrics and labels which an expression asks for in vain. */
    const missing = (expression: string, series: ReturnType<typeof seriesOf>): string[] =>
      askedBy(expression)
        .filter(({ metric }) => metric !== 'up')
        .flatMap(({ metric, labels }) => {
          const there = series.filter(({ name }) => name === metric);
          if (there.length === 0) return [metric];
          const known = new Set(there.flatMap((each) => each.labels));
          return labels
            .filter((label) => !known.has(label) && !added.has(label))
            .map((label) => `${metric}{${label}}`);
        });

    it('include every metric and label that the dashboard shows', async () => {
      const { panels } = JSON.parse(read('grafana/dashboards/knowledge-warehouse.json')) as {
        panels: Panel[];
      };
      const shown = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
      assert.ok(shown.length > 20);
      const series = seriesOf(await scrape());
      const inVain = shown.map(({ title, expr }) => [title, missing(expr, series)]);
      assert.deepEqual(
        inVain.filter(([, names]) => names!.length > 0),
        [],
      );
      assert.deepEqual(missing('sum by (colour) (rate(kw_runs{shade="x"}[5m]))', series), ['kw_runs']);
      assert.deepEqual(missing('kw_attempts_total{colour="x"}', series), ['kw_attempts_total{colour}']);
    });

    it('include every metric and label that the alerts use', async () => {
      const { groups } = parse(read('prometheus/alerts.yml')) as {
        groups: { rules: { alert: string; expr: string }[] }[];
      };
      const series = seriesOf(await scrape());
      const rules = groups.flatMap((group) => group.rules);
      assert.deepEqual(
        rules.flatMap(({ expr }) => missing(expr, series)),
        [],
      );
    });

    it('count each outcome once, in the process that recorded it', async () => {
      const text = await scrape();
      const sum = (pattern: RegExp): number =>
        [...text.matchAll(pattern)].reduce((total, [, value]) => total + Number(value), 0);
      assert.equal(sum(/^kw_attempts_total\{plugin="moody",outcome="FAILURE"\} (\d+)/gm), 2);
      assert.equal(sum(/^kw_attempts_total\{plugin="extract-text",outcome="SUCCESS"\} (\d+)/gm), 1);
      assert.equal(sum(/^kw_run_duration_seconds_count\{status="COMPLETED"\} (\d+)/gm), 1);
      assert.equal(sum(/^kw_run_duration_seconds_count\{status="FAILED"\} (\d+)/gm), 1);
      assert.equal(sum(/^kw_attempt_duration_seconds_count\{plugin="moody"\} (\d+)/gm), 2);
    });

    it('name no resource, and describe every metric of the service', async () => {
      const text = await scrape();
      assert.doesNotMatch(text, /="[0-9a-f]{8}-[0-9a-f]{4}-7/);
      const names = new Set([...text.matchAll(/^# TYPE (kw_\w+)/gm)].map(([, name]) => name!));
      for (const name of names) assert.match(text, new RegExp(`^# HELP ${name} \\S.{10,}`, 'm'));
    });
  });
