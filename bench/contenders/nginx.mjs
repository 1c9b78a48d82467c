import { spawn, spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openFolder } from '../folder.mjs'
import { end } from '../processes.mjs'
import { findFreePort } from './free-port.mjs'

/** @param {{ folder: string, port: number, upstream: string }} place */
const configure = ({ folder, port, upstream }) => `
${process.getuid?.() === 0 ? 'user root;' : ''}
# One worker: the bare proxy has one thread, too.
worker_processes 1;
worker_rlimit_nofile 16384;
daemon off;
pid ${folder}/nginx.pid;
error_log stderr error;
events { worker_connections 8192; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  keepalive_requests 100000000;
  keepalive_timeout 600s;
  client_max_body_size 0;
  client_body_buffer_size 1m;
  upstream provider { server ${new URL(upstream).host}; keepalive 1024; keepalive_requests 100000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://provider;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      # Each event of a stream goes on as soon as it comes.
      proxy_buffering off;
    }
  }
}
`

/**
 * What a proxy in C takes for the same forwarding. Null, with a message, where it is not installed.
 * @param {string} upstream @param {import('../processes.mjs').Cleanup} cleanup
 * @returns {Promise<import('../contenders.mjs').Contender | null>}
 */
export async function startNginx(upstream, cleanup) {
  const program = ['nginx', '/usr/sbin/nginx'].find((name) => spawnSync(name, ['-v']).status === 0)
  if (program === undefined) {
    console.error('nginx is left out: it is not installed (apt-get install nginx-light)')
    return null
  }
  const folder = await openFolder(cleanup)
  const port = await findFreePort()
  const file = join(folder, 'nginx.conf')
  await writeFile(file, configure({ folder, port, upstream }))
  const child = spawn(program, ['-p', folder, '-c', file], {
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  cleanup.add(() => end(child))
  await waitUntilItListens(port)
  return {
    name: 'nginx',
    pid: child.pid,
    url: `http://127.0.0.1:${port}/v1/chat/completions`,
    headers: { authorization: 'Bearer sk-bench' },
  }
}

/** @param {number} port */
async function waitUntilItListens(port) {
  for (let attempt = 0; attempt < 100; attempt++) {
    const socket = connect(port, '127.0.0.1')
    const listens = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
    })
    socket.destroy()
    if (listens) return
    await pause(100)
  }
  throw new Error(`nginx does not listen on port ${port} after 10 s`)
}
