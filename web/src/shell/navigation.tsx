import { IconChartBar, IconFiles, IconPlug, IconRoute } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { Link, useLocation } from 'wouter';
import classes from './navigation.module.css';

const places = [
  { path: '/resources', label: 'Resources', Icon: IconFiles },
  { path: '/pipelines', label: 'Pipelines', Icon: IconRoute },
  { path: '/plugins', label: 'Plugins', Icon: IconPlug },
  { path: '/overview', label: 'Overview', Icon: IconChartBar },
] as const;

/** Beside the view, and on a phone below it. */
export function Navigation(): ReactElement {
  const [location] = useLocation();
  return (
    <nav aria-label="Main" className={classes.nav}>
      <ul className={classes.list}>
        {places.map(({ path, label, Icon }) => {
          const isHere = location === path || location.startsWith(`${path}/`);
          return (
            <li key={path}>
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
