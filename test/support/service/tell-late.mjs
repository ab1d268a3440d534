/** Reports to its parent once that is gone. */
import { tellParent } from '../../../dist/runtime/tell-parent.js';

process.on('disconnect', () => tellParent({ type: 'ready' }));
process.send('running');
