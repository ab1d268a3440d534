import { Button } from '@mantine/core';
import { IconCircleCheck, IconHourglass, IconPlayerTrackNext } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import type { FailureGroup } from '@knowledge-warehouse/client';
import { newId } from '../../api/new-id.js';
import { failuresKey, startOperation, useFailures } from '../../api/operations.js';
import { useWaitingCount } from '../../api/resources.js';
import { AllowedButton } from '../../parts/allowed-button.js';
import { Card } from '../../parts/card.js';
import { formatCount, plural } from '../../parts/format.js';
import { showDone, showProblem } from '../../parts/notices.js';
import { Ago } from '../../parts/time.js';
import classes from './attention.module.css';

/** Groups shown at first. */
const shownAtFirst = 5;

/** What somebody has to look after: failures by cause, and what waits. */
export function Attention(): ReactElement | null {
  const failures = useFailures();
  const { data: waiting = 0 } = useWaitingCount();
  const [isWhole, setIsWhole] = useState(false);
  if (failures.data === undefined) return null;
  const groups = isWhole ? failures.data : failures.data.slice(0, shownAtFirst);
  return (
    <Card aria-labelledby="attention-title" className={classes.card}>
      <h2 id="attention-title">Needs attention</h2>
      {failures.data.length === 0 && waiting === 0 && (
        <p className={classes.fine}>
          <IconCircleCheck size={17} aria-hidden /> Nothing has failed and nothing waits.
        </p>
      )}
      {waiting > 0 && (
        <p className={classes.waiting}>
          <IconHourglass size={17} aria-hidden />
          <Link href="/resources?waiting=true">
            {plural(waiting, 'resource')} {waiting === 1 ? 'waits' : 'wait'} for a worker, a callback or a
            retry
          </Link>
        </p>
      )}
      <ul className={classes.groups} aria-label="Failures by cause">
        {groups.map((group) => (
          <Cause key={[group.error_code, group.plugin_id, group.type].join(' ')} group={group} />
        ))}
      </ul>
      {groups.length < failures.data.length && (
        <Button variant="subtle" size="compact-sm" onClick={() => setIsWhole(true)}>
          Show all {formatCount(failures.data.length)} causes
        </Button>
      )}
    </Card>
  );
}

/** Why resources failed, an example, and the button that resumes them all. */
function Cause({ group }: { readonly group: FailureGroup }): ReactElement {
  const { error_code, plugin_id, type, count, first_at, last_at, message, resource_id } = group;
  const client = useQueryClient();
  const [idempotencyKey] = useState(newId);
  const filter = {
    status: ['FAILED' as const],
    error_code: [error_code],
    type: [type],
    ...(plugin_id !== null && { failed_plugin: [plugin_id] }),
  };
  const resume = useMutation({
    mutationFn: () => startOperation({ action: 'reprocess', from_step: 'failed', filter }, idempotencyKey),
    onSuccess: ({ matched }) => {
      showDone(`${plural(matched, 'resource')} will resume from the failed step`);
      void client.invalidateQueries({ queryKey: failuresKey });
    },
    onError: showProblem,
  });
  const address = new URLSearchParams({
    status: 'FAILED',
    error_code,
    type,
    ...(plugin_id !== null && { failed_plugin: plugin_id }),
  });
  return (
    <li className={classes.cause}>
      <div className={classes.what}>
        <p>
          <Link href={`/resources?${address}`} className={classes.count ?? ''}>
            {formatCount(count)} × {error_code}
          </Link>{' '}
          {plugin_id === null ? 'before the first step' : `at ${plugin_id}`}, type {type}
        </p>
        <p className={classes.message} dir="auto">
          {message}
        </p>
        <p className={classes.facts}>
          since <Ago at={first_at} />, last <Ago at={last_at} /> ·{' '}
          <Link href={`/resources/${resource_id}`}>Show an example</Link>
        </p>
      </div>
      <AllowedButton
        scope="write"
        size="xs"
        variant="default"
        loading={resume.isPending}
        leftSection={<IconPlayerTrackNext size={15} aria-hidden />}
        onClick={() => resume.mutate()}
      >
        Resume {count === 1 ? 'it' : `all ${formatCount(count)}`}
      </AllowedButton>
    </li>
  );
}
