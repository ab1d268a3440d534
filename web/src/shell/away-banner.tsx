import { useEffect, useState, type ReactElement } from 'react';
import { useConnection } from '../live/live.js';
import { Notice } from '../parts/notice.js';

/** A connection that comes back within this time needs no words. */
const bearableMs = 4_000;

/** Says that the service does not answer. What was loaded stays below it. */
export function AwayBanner(): ReactElement | null {
  const connection = useConnection();
  const [isAway, setIsAway] = useState(false);
  useEffect(() => {
    if (connection === 'open') {
      setIsAway(false);
      return undefined;
    }
    const timer = setTimeout(() => setIsAway(true), bearableMs);
    return () => clearTimeout(timer);
  }, [connection]);
  if (!isAway) return null;
  return (
    <Notice tone="amber" title="The service does not answer" role="status">
      What you see may be out of date. The page tries again by itself.
    </Notice>
  );
}
