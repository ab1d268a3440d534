import { IconChartBar, IconFiles, IconHistory, IconKey, IconPlug, IconRoute } from '@tabler/icons-react';
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

/** What only admin keys may see. A phone's bar has room for the first; it leads to the other. */
const adminPlaces = [
  { path: '/keys', label: 'Keys', Icon: IconKey },
  { path: '/audit', label: 'Audit log', Icon: IconHistory },
] as const;

/** Beside the view, and on a phone below it. */
export function Navigation(): ReactElement {
  const [location] = useLocation();
  const { data: session } = useSession();
  const shown = allows(session, 'admin') ? [...places, ...adminPlaces] : places;
  return (
    <nav aria-label="Main" className={classes.nav}>
      <ul className={classes.list}>
        {shown.map(({ path, label, Icon }) => {
          const isHere = location === path || location.startsWith(`${path}/`);
          return (
            <li key={path} className={path === '/audit' ? classes.wideOnly : undefined}>
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
