import './styles/tokens.css';
import './styles/base.css';
import './styles/forced-colors.css';
import { createRoot } from 'react-dom/client';
import { createApi } from './api/client';
import { App } from './app';
import { openSession } from './session/open-session';

const root = document.getElementById('root');
if (root) createRoot(root).render(<App opening={openSession()} createApi={createApi} />);
