import './styles/layers.css';
import './styles/mantine.js';
import './styles/global.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { shareNonce } from './nonce.js';
import { restrictMarkup } from './trusted-types.js';

restrictMarkup();
shareNonce();
const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<App />);
