import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../children.ts';
import { type Contender, Skipped } from './contender.ts';

const config = (port: number, enginePort: number, folder: string, openFiles: number) => `
worker_processes 1;
worker_rlimit_nofile ${openFiles};
daemon off;
pid ${folder}/nginx.pid;
error_log stderr crit;
events { worker_connections ${Math.min(openFiles, 16_384)}; }
http {
  access_log off;
  client_max_body_size 4m;
  client_body_buffer_size 1m;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  keepalive_requests 1000000;
  upstream engine { server 127.0.0.1:${enginePort}; keepalive 256; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location / {
      proxy_pass http://engine;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
    }
  }
}
`;

/** What a proxy in C needs: the practical limit. */
export const nginx: Contender = {
  name: 'nginx',
  description: 'nginx of the system, one worker, keep-alive to the engine, proxy_buffering off, no access log',
  async start({ programs, core, enginePort, folder, openFiles }) {
    const found = spawnSync('nginx', ['-v'], { stdio: 'ignore' }).status === 0;
    if (!found) throw new Skipped('nginx is not installed (on Debian: apt-get install nginx-light)');
    const own = join(folder, 'nginx');
    mkdirSync(own, { recursive: true, mode: 0o755 });
    const port = await freePort();
    const file = join(own, 'nginx.conf');
    writeFileSync(file, config(port, enginePort, own, openFiles));
    const user = process.getuid?.() === 0 ? ['-g', 'user root;'] : [];
    const program = programs.start('nginx', ['-c', file, '-p', own, ...user], { core });
    return { program, target: { port, path: '/v1/chat/completions', headers: { authorization: 'Bearer none' } } };
  },
};
