import { Loader } from '@mantine/core';
import type { ReactElement } from 'react';
import classes from './page-loader.module.css';

/** A loading indicator with a short delay, so that fast loading does not flicker. */
export function PageLoader(): ReactElement {
  return (
    <div className={classes.loader} role="status">
      <Loader size="sm" type="dots" aria-hidden />
      <span>Loading …</span>
    </div>
  );
}
