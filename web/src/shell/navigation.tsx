import {
  IconChartBar,
  IconFiles,
  IconHistory,
  IconKey,
  IconPlug,
  IconRoute,
  IconServer,
} from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { Link, useLocation } from 'wouter';
import { allows, useSession } from '../api/session.js';
import classes from './navigation.module.css';

const places = [
  { path: '/resources', label: 'Resources', Icon: IconFiles },
  { path: '/pipelines', label: 'Pipelines', Icon: IconRoute },
  { path: '/plugins', label: 'Plugins', Icon: IconPlug },
  { path: '/overview', label: 'Overview', Icon: IconChartBar },
] as const;

/** Views for admin keys only. */
const adminPlaces = [
  { path: '/keys', label: 'Keys', Icon: IconKey },
  { path: '/audit', label: 'Audit log', Icon: IconHistory },
] as const;

const systemPlace = { path: '/system', label: 'System', Icon: IconServer } as const;

/** A phone's bar has no room for these; the keys view and the overview link to them. */
const onWideOnly: readonly string[] = ['/audit', systemPlace.path];

/** The navigation: next to the view, or below it on a phone. */
export function Navigation(): ReactElement {
  const [location] = useLocation();
  const { data: session } = useSession();
  const shown = [...places, ...(allows(session, 'admin') ? adminPlaces : []), systemPlace];
  return (
    <nav aria-label="Main" className={classes.nav}>
      <ul className={classes.list}>
        {shown.map(({ path, label, Icon }) => {
          const isHere = location === path || location.startsWith(`${path}/`);
          return (
            <li key={path} className={onWideOnly.includes(path) ? classes.wideOnly : undefined}>
              <Link href={path} className={classes.link ?? ''} aria-current={isHere ? 'page' : undefined}>
                <Icon size={19} stroke={1.7} aria-hidden />
                {label}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
