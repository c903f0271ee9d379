import './styles/tokens.css';
import './styles/base.css';
import './styles/forced-colors.css';
import { createRoot } from 'react-dom/client';
import { createApi } from './api/client';
import { App } from './app';
import { lazyPage } from './loading/lazy-part';
import { openSession } from './session/open-session';

const SharedPage = lazyPage<{ readonly token: string }>(() => import('./share/shared-page'));
const [, token] = /^\/shared\/([\w-]+)\/?$/.exec(location.pathname) ?? [];

const root = document.getElementById('root');
if (root) {
  const page = token ? <SharedPage token={token} /> : <App opening={openSession()} createApi={createApi} />;
  createRoot(root).render(page);
}
