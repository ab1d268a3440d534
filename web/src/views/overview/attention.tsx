import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconHourglass } from '@tabler/icons-react';
import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import { useFailures } from '../../api/operations.js';
import { usePlugins } from '../../api/plugins.js';
import { useSystem } from '../../api/system.js';
import { Card } from '../../parts/layout/card.js';
import { formatCount, plural } from '../../parts/format.js';
import { useNow } from '../../parts/now.js';
import { Cause, ResumeButton } from './cause.js';
import { concernsOf, type Concern } from './concerns.js';
import classes from './attention.module.css';

/** The number of groups shown at first. */
const shownAtFirst = 5;

/** What needs attention: failures by cause, then missing workers, waits, clean-ups and disk space. */
export function Attention(): ReactElement | null {
  const { data: failures } = useFailures();
  const { data: system } = useSystem();
  const { data: plugins = [] } = usePlugins();
  const now = useNow();
  const [isWhole, setIsWhole] = useState(false);
  // Causes of failures do not wait for the rest, which may not answer.
  if (failures === undefined) return null;
  const concerns = system === undefined ? [] : concernsOf(system, plugins, now);
  const groups = isWhole ? failures : failures.slice(0, shownAtFirst);
  const failed = failures.reduce((sum, { count }) => sum + count, 0);
  return (
    <Card aria-labelledby="attention-title" className={classes.card}>
      <div className={classes.head}>
        <h2 id="attention-title">Needs attention</h2>
        {failures.length > 1 && (
          <ResumeButton label={`Resume all ${formatCount(failed)} failed`} filter={{ status: ['FAILED'] }} />
        )}
      </div>
      {failures.length === 0 && concerns.length === 0 && system !== undefined && (
        <p className={classes.fine}>
          <IconCircleCheck size={17} aria-hidden /> Nothing has failed, and nothing is waiting.
        </p>
      )}
      {groups.length > 0 && (
        <ul className={classes.groups} aria-label="Failures by cause">
          {groups.map((group) => (
            <Cause key={[group.error_code, group.plugin_id, group.type].join(' ')} group={group} />
          ))}
        </ul>
      )}
      {groups.length < failures.length && (
        <Button variant="subtle" size="compact-sm" onClick={() => setIsWhole(true)}>
          Show all {plural(failures.length, 'cause')}
        </Button>
      )}
      {concerns.length > 0 && (
        <ul className={classes.concerns} aria-label="What delays work">
          {concerns.map((concern) => (
            <ConcernLine key={concern.key} concern={concern} />
          ))}
        </ul>
      )}
    </Card>
  );
}

/** One thing that needs attention, with a link to it. */
function ConcernLine({ concern }: { readonly concern: Concern }): ReactElement {
  const { tone, text, detail, link } = concern;
  const Icon = tone === 'red' ? IconAlertTriangle : IconHourglass;
  return (
    <li className={classes.concern} data-tone={tone}>
      <Icon size={17} aria-hidden className={classes.icon} />
      <div className={classes.what}>
        <p className={classes.title}>{text}</p>
        <p className={classes.facts}>
          <bdi>{detail}</bdi> {link !== null && <Link href={link.href}>{link.label}</Link>}
        </p>
      </div>
    </li>
  );
}
