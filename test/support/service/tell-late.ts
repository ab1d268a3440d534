/** Reports to its parent once that is gone. */
import { tellParent } from '../../../runtime/tell-parent.js';

process.on('disconnect', () => tellParent({ type: 'ready' }));
process.send!('running');
