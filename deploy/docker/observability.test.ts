import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ALL_OPERATIONS } from '@event-commerce/contracts';
import { CONSOLE_PATHS } from '../../gateway/src/console/console-routes.ts';
import { DOCS_PATHS } from '../../gateway/src/docs/docs-routes.ts';
import { GUIDE_PATHS } from '../../gateway/src/guide/guide-routes.ts';
import { PROCESSES } from './settings-of.ts';

/** The metrics that the processes report. An alert, panel or runbook with any other metric would stay empty for ever. */
const METRICS = new Set([
  'up',
  'http_server_request_duration_seconds_bucket',
  'http_server_request_duration_seconds_count',
  'http_server_active_requests',
  'http_client_request_duration_seconds_bucket',
  'messaging_client_operation_duration_seconds_bucket',
  'messaging_process_duration_seconds_bucket',
  'messaging_process_duration_seconds_count',
  'pricing_evaluations_total',
  'pricing_drops_total',
  'redemption_claims_total',
  'ticket_claims_total',
  'outbox_lag_seconds',
  'outbox_parked_total',
  'events_unhandled',
  'events_unhandled_age_seconds',
  'dead_letters_total',
  'rate_limit_degraded',
  'data_at_risk',
  'process_unhandled_errors_total',
]);

const here = path.join(import.meta.dirname, 'observability');
const repository = path.resolve(import.meta.dirname, '../..');
const RUNBOOKS = 'docs/operating/runbooks';
const read = (file: string) => readFileSync(path.join(here, file), 'utf8');

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}
interface Panel {
  id: number;
  type: string;
  title: string;
  datasource?: { uid: string };
  targets?: { expr: string; datasource: { uid: string } }[];
}

const alerts = (parse(read('alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) => rules);
const dashboard = JSON.parse(read('dashboards/event-commerce.json')) as { uid: string; panels: Panel[] };
const graphs = dashboard.panels.filter(({ type }) => type !== 'row');
const runbooks = readdirSync(path.join(repository, RUNBOOKS)).map((file) => ({
  file,
  text: readFileSync(path.join(repository, RUNBOOKS, file), 'utf8'),
}));

describe('queries', () => {
  const queries = [
    ...alerts.map(({ alert, expr }) => [`alert ${alert}`, expr] as const),
    ...graphs.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [`panel ${title}`, expr] as const)),
    ...runbooks.flatMap(({ file, text }) =>
      [...text.matchAll(/^```promql\n(.*?)^```$/gms)].map(([, expr = '']) => [`runbook ${file}`, expr] as const),
    ),
  ];

  it('can be parsed, and use only metrics that exist', () => {
    expect(queries.length).toBeGreaterThan(alerts.length);
    expect(queries.flatMap(([name, expr]) => problemsOf(expr).map((problem) => `${name}: ${problem}`))).toEqual([]);
  });
});

describe('alerts', () => {
  it('each have a severity, a sentence, and the path of a runbook', () => {
    for (const { alert, labels, annotations } of alerts) {
      expect(['critical', 'warning']).toContain(labels.severity);
      expect(annotations.summary).toMatch(/\.$/);
      expect(annotations.runbook).toBe(`${RUNBOOKS}/${alert}.md`);
    }
  });

  it('each have one runbook, and each runbook has its alert', () => {
    expect(runbooks.map(({ file }) => file).toSorted()).toEqual(alerts.map(({ alert }) => `${alert}.md`).toSorted());
  });

  it.each(alerts)('$alert has a runbook that says what to do, and a line in the index', ({ alert, labels }) => {
    const { text = '' } = runbooks.find(({ file }) => file === `${alert}.md`) ?? {};
    const severity = labels.severity === 'critical' ? 'Critical' : 'Warning';
    expect(text).toMatch(new RegExp(`^# ${alert}\n\n\\*\\*${severity}\\.\\*\\* `));
    expect([...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)).toEqual([
      'What users see',
      'Confirm',
      'Causes and fixes',
      'It is over when',
    ]);
    const index = readFileSync(path.join(repository, 'docs/operating/README.md'), 'utf8');
    expect(index).toMatch(new RegExp(`\\[${alert}\\]\\(runbooks/${alert}\\.md\\) +\\| ${labels.severity} `));
  });

  it.each(['RequestsFail', 'RequestsSlow'])('%s counts requests that need a key, and no others', (name) => {
    const { expr = '' } = alerts.find(({ alert }) => alert === name) ?? {};
    const excluded = [...expr.matchAll(/http_route!~"([^"]+)"/g)].map(([, routes]) => new RegExp(`^(?:${routes})$`));
    expect(excluded.length).toBeGreaterThan(0);
    const open = ALL_OPERATIONS.filter(({ scope }) => scope === undefined).map(({ url }) => url);
    const keyed = ALL_OPERATIONS.filter(({ scope }) => scope !== undefined).map(({ url }) => url);
    for (const routes of excluded) {
      for (const url of ['/', ...DOCS_PATHS, ...CONSOLE_PATHS, ...GUIDE_PATHS, ...open]) expect(url).toMatch(routes);
      for (const url of keyed) expect(url).not.toMatch(routes);
    }
  });

  it('fire when a process is gone, whichever it is', () => {
    const down = alerts.find(({ alert }) => alert === 'ProcessDown');
    for (const name of PROCESSES) expect(down?.expr).toContain(`service="${name}"`);
  });

  it.skipIf(spawnSync('promtool', ['--version']).status !== 0)('fire when they should, according to promtool', () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'alerts.test.yml'], {
      cwd: here,
      encoding: 'utf8',
    });
    expect(status, `${stdout}${stderr}`).toBe(0);
  });
});

it('Prometheus scrapes every process, on the metrics port that Compose sets', () => {
  const { scrape_configs: scrapes } = parse(read('prometheus.yml')) as {
    scrape_configs: { dns_sd_configs: { names: string[]; port: number }[] }[];
  };
  const [asked] = scrapes[0]?.dns_sd_configs ?? [];
  expect(asked?.names.toSorted()).toEqual(PROCESSES.toSorted());
  const compose = parse(readFileSync(path.join(repository, 'docker-compose.yml'), 'utf8'), {
    merge: true,
  }) as { services: Record<string, { environment?: Record<string, string> }> };
  for (const name of PROCESSES) {
    expect(compose.services[name]?.environment?.['METRICS_PORT']).toBe(String(asked?.port));
  }
});

describe('the dashboard', () => {
  it('uses the provisioned data source, in panels with unique ids', () => {
    const { datasources } = parse(read('grafana/datasources/prometheus.yml')) as { datasources: { uid: string }[] };
    for (const { datasource, targets = [] } of graphs) {
      for (const { uid } of [datasource, ...targets.map((target) => target.datasource)].filter(
        (each) => each !== undefined,
      )) {
        expect(uid).toBe(datasources[0]?.uid);
      }
    }
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

function problemsOf(expr: string): string[] {
  const problems: string[] = [];
  let metrics = 0;
  parser.parse(expr).iterate({
    enter: ({ type, from, to, node }) => {
      if (type.isError) problems.push(`cannot be parsed at ${from}`);
      if (type.name !== 'Identifier' || node.parent?.name !== 'VectorSelector') return;
      metrics += 1;
      if (!METRICS.has(expr.slice(from, to))) problems.push(`${expr.slice(from, to)} is not measured`);
    },
  });
  return metrics === 0 ? ['uses no metric', ...problems] : problems;
}
