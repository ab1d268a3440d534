import type { ReactElement } from 'react';
import { usePipelines } from '../../api/pipelines.js';
import type { Plugin } from '@knowledge-warehouse/client';
import { Link } from 'wouter';
import { Card } from '../../parts/layout/card.js';
import { Copyable, Fact, Facts } from '../../parts/layout/facts.js';
import { plural } from '../../parts/format.js';
import { Ago } from '../../parts/time.js';
import classes from './plugin-facts.module.css';

/** What a plugin is, where its steps are processed, and which pipelines use it. */
export function PluginFacts({ plugin }: { readonly plugin: Plugin }): ReactElement {
  const { id, kind, version, built_in, produces, reads, heartbeat_seconds, last_seen_at, pollers } = plugin;
  const { count, oldest_at, last_error } = plugin.pending_clean_ups;
  const { success_rate, last_success_at, last_failure } = plugin.deliveries ?? {};
  return (
    <Card heading="Details" className={classes.card}>
      <Facts>
        <Fact name="Id">
          <Copyable text={id} label="Copy the id" />
        </Fact>
        <Fact name="Kind">
          {kind === 'http' ? 'HTTP worker' : 'Temporal activity'}
          {built_in ? ', built in' : ''}
        </Fact>
        {version !== '' && <Fact name="Version">{version}</Fact>}
        {plugin.endpoint !== null && <Fact name="Endpoint">{plugin.endpoint}</Fact>}
        {plugin.task_queue !== null && <Fact name="Task queue">{plugin.task_queue}</Fact>}
        {plugin.activity_type !== null && <Fact name="Activity">{plugin.activity_type}</Fact>}
        {kind === 'activity' && <Fact name="Workers">{pollers ?? 'unknown'}</Fact>}
        {success_rate != null && (
          <Fact name="Success rate">{Math.floor(success_rate * 100)} % in the last hour</Fact>
        )}
        {last_success_at != null && (
          <Fact name="Last success">
            <Ago at={last_success_at} />
          </Fact>
        )}
        {last_failure != null && (
          <Fact name="Last failure">
            <Ago at={last_failure.at} />: {last_failure.code}
          </Fact>
        )}
        <Fact name="Last seen">{last_seen_at === null ? 'not yet' : <Ago at={last_seen_at} />}</Fact>
        {heartbeat_seconds !== null && <Fact name="Heartbeat">every {heartbeat_seconds} s</Fact>}
        {reads !== null && <Fact name="Reads">{reads.length === 0 ? 'the source' : reads.join(', ')}</Fact>}
        {produces.length > 0 && <Fact name="Produces">{produces.join(', ')}</Fact>}
        {count > 0 && (
          <Fact name="Clean-ups">
            {plural(count, 'removal')} left
            {oldest_at !== null && (
              <>
                , the oldest from <Ago at={oldest_at} />
              </>
            )}
            {last_error !== null && `: ${last_error}`}
          </Fact>
        )}
        <UsedBy id={id} />
      </Facts>
    </Card>
  );
}

function UsedBy({ id }: { readonly id: string }): ReactElement | null {
  const { data } = usePipelines();
  if (data === undefined) return null;
  const users = data.filter(({ steps }) => steps.some(({ plugin_id }) => plugin_id === id));
  return (
    <Fact name="Used by">
      {users.length === 0
        ? 'no pipeline'
        : users.map((pipeline, index) => (
            <span key={pipeline.id}>
              {index > 0 && ', '}
              <Link href={`/pipelines/${pipeline.id}`}>
                <bdi>{pipeline.name}</bdi>
              </Link>
            </span>
          ))}
    </Fact>
  );
}
