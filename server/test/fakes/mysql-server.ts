import { createServer, type Socket } from 'node:net';

// What a MariaDB server says to a client that prepares its statements. Source: MariaDB documentation, "Client/Server Protocol" (connection
// phase with mysql_native_password, COM_QUERY, COM_STMT_PREPARE, COM_STMT_EXECUTE, result sets with EOF packets). It understands no SQL: what
// a statement gives is asked of `answer`.

/** Names of the columns, and the rows, as text. */
export interface FakeResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Names of the columns whose values are bytes. */
  readonly binary?: readonly string[];
}

/** A failure as the server tells of it. */
export class FakeMysqlFailure extends Error {
  readonly number: number;
  readonly state: string;
  constructor(number: number, state: string, message: string) {
    super(message);
    this.number = number;
    this.state = state;
  }
}

export interface FakeMysql {
  readonly port: number;
  /** Statements that were not prepared, in their order. */
  readonly commands: readonly string[];
  close(): Promise<void>;
}

const CAPABILITIES = 0x000f_a28f;
const UTF8 = 45;
const BINARY = 63;
const VAR_STRING = 253;
const fixed = (value: number, length: number) => {
  const bytes = Buffer.alloc(length);
  bytes.writeUIntLE(value, 0, length);
  return bytes;
};
function counted(value: string): Buffer {
  const bytes = Buffer.from(value);
  const { length } = bytes;
  const prefix =
    length < 251
      ? fixed(length, 1)
      : length < 0x1_0000
        ? Buffer.concat([fixed(252, 1), fixed(length, 2)])
        : Buffer.concat([fixed(253, 1), fixed(length, 3)]);
  return Buffer.concat([prefix, bytes]);
}
const eof = Buffer.from([0xfe, 0, 0, 2, 0]);
const ok = Buffer.from([0, 0, 0, 2, 0, 0, 0]);
const column = (name: string, isBinary = false) =>
  Buffer.concat([
    ...['def', '', 'q', 'q', name, name].map(counted),
    Buffer.from([0x0c, isBinary ? BINARY : UTF8, 0, 255, 255, 0, 0, VAR_STRING, 0, 0, 0, 0, 0]),
  ]);
const failure = ({ number, state, message }: FakeMysqlFailure) =>
  Buffer.concat([Buffer.from([0xff]), fixed(number, 2), Buffer.from(`#${state}${message}`)]);
const greeting = Buffer.concat([
  Buffer.from([10]),
  Buffer.from('11.4.2-MariaDB\0'),
  fixed(1, 4),
  Buffer.from('12345678\0'),
  fixed(CAPABILITIES & 0xffff, 2),
  Buffer.from([UTF8, 2, 0]),
  fixed(CAPABILITIES >>> 16, 2),
  Buffer.from([21]),
  Buffer.alloc(10),
  Buffer.from('123456789012\0'),
  Buffer.from('mysql_native_password\0'),
]);

/** The parameters of a COM_STMT_EXECUTE. */
function valuesOf(packet: Buffer, count: number): string[] {
  let at = 10 + Math.ceil(count / 8) + 1 + 2 * count;
  return Array.from({ length: count }, () => {
    const first = packet[at++] ?? 0;
    const width = first === 252 ? 2 : first === 253 ? 3 : 0;
    const length = width === 0 ? first : packet.readUIntLE(at, width);
    at += width;
    return packet.subarray(at, (at += length)).toString();
  });
}

/** Starts one on loopback, for one user whose name is given; passwords are not looked at. */
export async function startFakeMysql(
  user: string,
  answer: (text: string, values: readonly string[]) => FakeResult,
): Promise<FakeMysql> {
  const commands: string[] = [];
  const sockets = new Set<Socket>();

  function serve(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    const statements: string[] = [];
    let isIn = false;
    let number = 0;
    const send = (...packets: readonly Buffer[]) => {
      for (const packet of packets)
        socket.write(Buffer.concat([fixed(packet.length, 3), Buffer.from([number++ & 255]), packet]));
    };
    const result = ({ columns, rows, binary = [] }: FakeResult) =>
      send(
        Buffer.from([columns.length]),
        ...columns.map((name) => column(name, binary.includes(name))),
        eof,
        ...rows.map((row) =>
          Buffer.concat([Buffer.alloc(1 + Math.ceil((columns.length + 2) / 8)), ...row.map(counted)]),
        ),
        eof,
      );
    function receive(packet: Buffer): void {
      if (!isIn) {
        isIn = packet.subarray(32).toString().startsWith(`${user}\0`);
        return send(isIn ? ok : failure(new FakeMysqlFailure(1045, '28000', 'Access denied')));
      }
      const text = packet.subarray(1).toString();
      const [kind] = packet;
      if (kind === 1) return void socket.end();
      if (kind === 3) {
        commands.push(text);
        const isUnknown = text.includes('max_execution_time');
        return send(isUnknown ? failure(new FakeMysqlFailure(1193, 'HY000', 'Unknown system variable')) : ok);
      }
      if (kind === 22) {
        const { columns } = answer(text, []);
        const count = text.split('?').length - 1;
        statements.push(text);
        send(
          Buffer.concat([
            Buffer.from([0]),
            fixed(statements.length, 4),
            fixed(columns.length, 2),
            fixed(count, 2),
            Buffer.alloc(3),
          ]),
        );
        if (count > 0) send(...Array.from({ length: count }, () => column('?')), eof);
        if (columns.length > 0) send(...columns.map((name) => column(name)), eof);
      } else if (kind === 23) {
        const statement = statements[packet.readUInt32LE(1) - 1] ?? '';
        result(answer(statement, valuesOf(packet, statement.split('?').length - 1)));
      }
    }
    let received = Buffer.alloc(0);
    socket.on('data', (part) => {
      received = Buffer.concat([received, part]);
      while (received.length >= 4 && received.length >= 4 + received.readUIntLE(0, 3)) {
        const length = received.readUIntLE(0, 3);
        number = (received[3] ?? 0) + 1;
        const packet = received.subarray(4, 4 + length);
        received = received.subarray(4 + length);
        try {
          receive(packet);
        } catch (error) {
          if (!(error instanceof FakeMysqlFailure)) throw error;
          send(failure(error));
        }
      }
    });
    send(greeting);
  }

  const server = createServer(serve);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  let closing: Promise<void> | null = null;
  return {
    port: (server.address() as { port: number }).port,
    commands,
    close: () =>
      (closing ??= new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      })),
  };
}
