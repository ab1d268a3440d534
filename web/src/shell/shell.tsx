import { Suspense, type ReactElement, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { PageLoader } from '../parts/layout/page-loader.js';
import { CrashBoundary } from '../parts/messages/crash-boundary.js';
import { Adding } from '../adding/adding.js';
import { AccountMenu } from './account-menu.js';
import { ConnectionNote } from './connection-note.js';
import { AwayBanner } from './away-banner.js';
import { Logo } from './logo.js';
import { Navigation } from './navigation.js';
import { SearchBox } from './search-box.js';
import { Shortcuts } from './shortcuts.js';
import classes from './shell.module.css';

/** The frame of every view: navigation, the logged-in user and the state of live updates. */
export function Shell({ children }: { readonly children: ReactNode }): ReactElement {
  const [path] = useLocation();
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <section className={classes.side} aria-label="Application">
        <Logo />
        <Navigation />
        <div className={classes.foot}>
          <ConnectionNote />
          <AccountMenu />
        </div>
      </section>
      <main id="main" className={classes.main} tabIndex={-1}>
        <AwayBanner />
        <SearchBox />
        <Adding>
          <CrashBoundary key={path}>
            <Suspense fallback={<PageLoader />}>{children}</Suspense>
          </CrashBoundary>
        </Adding>
        <Shortcuts />
      </main>
    </div>
  );
}
