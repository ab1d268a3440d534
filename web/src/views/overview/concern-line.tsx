import { IconAlertTriangle, IconHourglass } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { Concern } from './concerns.js';
import classes from './attention.module.css';

/** One thing that needs attention, with a link to it. */
export function ConcernLine({
  concern: { tone, text, detail, link },
}: {
  readonly concern: Concern;
}): ReactElement {
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
