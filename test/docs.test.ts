import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { activityRules } from '../packages/plugin/src/conformance/activity/rules/index.js';
import { rules } from '../packages/plugin/src/conformance/rules/index.js';
import { askedBy } from './support/service/promql.js';

const top = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(top, path), 'utf8');

/** Our Markdown files, as paths from the project's top. */
function documents(folder = ''): string[] {
  return readdirSync(join(top, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      return ['node_modules', 'dist', 'fixtures'].includes(entry.name) || entry.name.startsWith('.')
        ? []
        : documents(path);
    }
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

describe('documents', () => {
  it('link to existing files', () => {
    const broken = documents().flatMap((path) =>
      [...read(path).matchAll(/\]\(([^)#\s]+)(#[^)]*)?\)/g)]
        .map(([, target]) => target!)
        .filter((target) => !/^[a-z]+:/.test(target) && !existsSync(join(top, dirname(path), target)))
        .map((target) => `${path}: ${target}`),
    );
    assert.deepEqual(broken, []);
  });

  it('refer to existing sections', () => {
    const sectionsOf = (path: string): string[] =>
      [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
        title!
          .toLowerCase()
          .replace(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-'),
      );
    const named = documents().flatMap((path) =>
      [...read(path).matchAll(/\]\(([^)#\s:]*)#([^)]+)\)/g)].map(
        ([, target, section]) =>
          [target === '' ? path : join(dirname(path), target!), section!, path] as const,
      ),
    );
    for (const { name, section } of [...rules, ...activityRules])
      named.push(['docs/plugins.md', section, `the rule ${name}`]);
    for (const [target, section, by] of named)
      assert.ok(sectionsOf(target).includes(section), `${by}: ${target}#${section}`);
  });

  it('list every alert of Prometheus, with its metrics', () => {
    const { groups } = parse(read('docker/prometheus/alerts.yml')) as {
      groups: { rules: { alert: string; expr: string }[] }[];
    };
    const rows = [...read('docs/operations.md').matchAll(/^\| `(Kw\w+)` .*$/gm)];
    const alerts = groups.flatMap(({ rules: all }) => all);
    assert.deepEqual(
      rows.map(([, alert]) => alert),
      alerts.map(({ alert }) => alert),
    );
    for (const [index, { alert, expr }] of alerts.entries()) {
      for (const { metric } of askedBy(expr)) assert.ok(rows[index]![0].includes(`\`${metric}`), alert);
    }
  });

  it('have an alert for an API or worker that is gone, which DNS does not name any more', () => {
    const { scrape_configs: jobs } = parse(read('docker/prometheus/prometheus.yml')) as {
      scrape_configs: { job_name: string; dns_sd_configs: { names: string[] }[] }[];
    };
    for (const service of ['api', 'worker']) {
      const job = jobs.find(({ dns_sd_configs: [dns] }) => dns!.names.includes(service))!;
      assert.ok(read('docker/prometheus/alerts.yml').includes(`absent(up{job="${job.job_name}"})`), service);
    }
  });

  it('list every decision in their index, under its title', () => {
    const index = read('docs/decisions/README.md');
    for (const file of readdirSync(join(top, 'docs/decisions')).filter((name) => name !== 'README.md')) {
      const [title] = read(`docs/decisions/${file}`).split('\n');
      assert.ok(index.includes(`[${title!.replace('# ', '')}](${file})`), `${file}: ${title!}`);
    }
  });
});
