import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { documentedBlock } from '../support/documented-block';
import { freePorts, listening } from '../support/programs';
import { temporaryDirectory } from '../support/temporary-directory';

/** Parts needed to run a proxy with its documented settings: how they become a whole configuration, and the command. */
interface Proxy {
  readonly program: string;
  readonly version: string;
  configure(place: Place): string;
  command(file: string): string[];
}

interface Place {
  readonly folder: string;
  /** Port of the proxy, and of the API behind it. */
  readonly port: number;
  readonly apiPort: number;
}

function nginxFile(folder: string, block: string): string {
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `user root; daemon off; pid ${folder}/pid; events {} http { access_log off; ${places.join(' ')}\n${block}}`;
}

/** The proxies of docs/self-hosting.md. */
export const PROXIES: readonly Proxy[] = [
  {
    program: 'nginx',
    version: '-v',
    configure: ({ folder, port, apiPort }) => {
      const block = documentedBlock('nginx', {
        'server 127.0.0.1:8080;': `server 127.0.0.1:${apiPort};`,
        'listen 443 ssl;': `listen 127.0.0.1:${port} ssl;`,
        '/etc/letsencrypt/live/api.example.com/fullchain.pem': `${folder}/cert.pem`,
        '/etc/letsencrypt/live/api.example.com/privkey.pem': `${folder}/key.pem`,
      });
      return nginxFile(folder, block);
    },
    command: (file) => ['-c', file, '-e', 'stderr'],
  },
  {
    program: 'caddy',
    version: 'version',
    configure: ({ folder, port, apiPort }) => {
      const block = documentedBlock('caddyfile', {
        'api.example.com {': `https://localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${folder}/cert.pem ${folder}/key.pem`,
        '127.0.0.1:8080': `127.0.0.1:${apiPort}`,
      });
      return `{\n\tadmin off\n\tauto_https disable_redirects\n\tstorage file_system ${folder}/storage\n}\n${block}`;
    },
    command: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
];

/** True if a program is installed. */
export function isInstalled({ program, version }: Pick<Proxy, 'program' | 'version'>): boolean {
  try {
    execFileSync(program, [version], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Starts a proxy in front of the API on a port of this machine, with a certificate that it made for itself. */
export async function startProxy(proxy: Proxy, apiPort: number) {
  const { path: folder, remove } = await temporaryDirectory();
  const { port } = await freePorts('port');
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')];
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', [...kind, ...names, ...files], { stdio: 'ignore' });
  const file = join(folder, 'configuration');
  await writeFile(file, proxy.configure({ folder, port, apiPort }));
  const child = spawn(proxy.program, proxy.command(file), { stdio: 'ignore', env: { ...process.env, HOME: folder } });
  await listening(port, child);
  return {
    port,
    certificate: join(folder, 'cert.pem'),
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await remove();
    },
  };
}
