import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A mail server that keeps what it is given, and refuses addresses that begin with `refused`. Source: RFC 5321. */
export async function startSmtp() {
  const mails: { readonly to: string; readonly text: string }[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    let rest = '';
    let to = '';
    let data: string[] | null = null;
    const answer = (line: string) => void socket.write(`${line}\r\n`);
    const take = (line: string) => {
      if (data !== null) {
        if (line !== '.') return void data.push(line);
        mails.push({ to, text: data.join('\n') });
        data = null;
        return answer('250 taken');
      }
      const [verb = ''] = line.toUpperCase().split(/[ :]/);
      if (verb === 'RCPT') to = /<(.*)>/.exec(line)?.[1] ?? '';
      if (verb === 'RCPT' && to.startsWith('refused')) return answer('550 nobody');
      if (verb === 'DATA') data = [];
      answer(verb === 'DATA' ? '354 go on' : verb === 'QUIT' ? '221 bye' : '250 ok');
    };
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) take(line);
    });
    answer('220 here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    mails,
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
