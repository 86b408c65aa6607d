/** Writes compound files (MS-CFB, version 3) for tests: streams by their paths. */
const sectorSize = 512;
const miniSize = 64;
const cutoff = 4096;
const free = 0xffffffff;
const endOfChain = 0xfffffffe;
const tableSector = 0xfffffffd;

interface Entry {
  readonly name: string;
  readonly kind: 1 | 2 | 5;
  readonly data: Uint8Array;
  readonly children: Entry[];
}

const pad = (data: Uint8Array, size: number): Buffer =>
  Buffer.concat([data, Buffer.alloc((size - (data.length % size)) % size)]);

const build = (streams: Readonly<Record<string, Uint8Array>>): Entry => {
  const root: Entry = { name: 'Root Entry', kind: 5, data: new Uint8Array(), children: [] };
  for (const [path, data] of Object.entries(streams)) {
    const names = path.split('/');
    let parent = root;
    for (const name of names.slice(0, -1)) {
      let storage = parent.children.find((child) => child.name === name);
      if (storage === undefined) {
        storage = { name, kind: 1, data: new Uint8Array(), children: [] };
        parent.children.push(storage);
      }
      parent = storage;
    }
    parent.children.push({ name: names.at(-1)!, kind: 2, data, children: [] });
  }
  return root;
};

const flatten = (root: Entry): Entry[] => {
  const entries = [root];
  for (let index = 0; index < entries.length; index += 1) entries.push(...entries[index]!.children);
  return entries;
};

const chain = (table: number[], count: number): number => {
  if (count === 0) return endOfChain;
  const start = table.length;
  for (let index = 1; index < count; index += 1) table.push(start + index);
  table.push(endOfChain);
  return start;
};

const entryBytes = (entry: Entry, entries: readonly Entry[], start: number, size: number): Buffer => {
  const bytes = Buffer.alloc(128);
  bytes.write(entry.name, 0, 'utf16le');
  bytes.writeUInt16LE(entry.name.length * 2 + 2, 64);
  bytes[66] = entry.kind;
  bytes[67] = 1;
  const parent = entries.find(({ children }) => children.includes(entry));
  const next = parent?.children[parent.children.indexOf(entry) + 1];
  bytes.writeUInt32LE(free, 68);
  bytes.writeUInt32LE(next === undefined ? free : entries.indexOf(next), 72);
  bytes.writeUInt32LE(entry.children.length === 0 ? free : entries.indexOf(entry.children[0]!), 76);
  bytes.writeUInt32LE(start, 116);
  bytes.writeUInt32LE(size, 120);
  return bytes;
};

const header = (tables: number, directory: number, miniTable: number, miniTables: number): Buffer => {
  const bytes = Buffer.alloc(sectorSize, 0xff);
  bytes.fill(0, 0, 76);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes);
  bytes.writeUInt16LE(0x3e, 24);
  bytes.writeUInt16LE(3, 26);
  bytes.writeUInt16LE(0xfffe, 28);
  bytes.writeUInt16LE(9, 30);
  bytes.writeUInt16LE(6, 32);
  bytes.writeUInt32LE(tables, 44);
  bytes.writeUInt32LE(directory, 48);
  bytes.writeUInt32LE(cutoff, 56);
  bytes.writeUInt32LE(miniTable, 60);
  bytes.writeUInt32LE(miniTables, 64);
  bytes.writeUInt32LE(endOfChain, 68);
  return bytes;
};

export const writeCompound = (streams: Readonly<Record<string, Uint8Array>>): Buffer => {
  const entries = flatten(build(streams));
  const table: number[] = [];
  const miniTable: number[] = [];
  const sectors: Buffer[] = [];
  const minis: Buffer[] = [];
  const store = (data: Uint8Array): number => {
    const whole = pad(data, sectorSize);
    sectors.push(whole);
    return chain(table, whole.length / sectorSize);
  };
  const starts = entries.map((entry) => {
    if (entry.kind !== 2) return 0;
    if (entry.data.length >= cutoff) return store(entry.data);
    const whole = pad(entry.data, miniSize);
    minis.push(whole);
    return chain(miniTable, whole.length / miniSize);
  });
  const miniStream = Buffer.concat(minis);
  starts[0] = miniStream.length === 0 ? endOfChain : store(miniStream);
  const miniBytes = Buffer.alloc(miniTable.length * 4);
  for (const [index, value] of miniTable.entries()) miniBytes.writeUInt32LE(value, index * 4);
  const miniStart =
    miniBytes.length === 0
      ? endOfChain
      : store(
          Buffer.concat([miniBytes, Buffer.alloc((sectorSize - (miniBytes.length % sectorSize)) % sectorSize, 0xff)]),
        );
  const directory = Buffer.concat(
    entries.map((entry, index) =>
      entryBytes(entry, entries, starts[index]!, index === 0 ? miniStream.length : entry.data.length),
    ),
  );
  const directoryStart = store(directory);
  const tables = Math.ceil((table.length * 4) / (sectorSize - 4)) + 1;
  const first = table.length;
  for (let index = 0; index < tables; index += 1) table.push(tableSector);
  const tableBytes = Buffer.alloc(tables * sectorSize, 0xff);
  for (const [index, value] of table.entries()) tableBytes.writeUInt32LE(value, index * 4);
  const head = header(tables, directoryStart, miniStart, Math.ceil(miniBytes.length / sectorSize));
  for (let index = 0; index < tables; index += 1) head.writeUInt32LE(first + index, 76 + index * 4);
  return Buffer.concat([head, ...sectors, tableBytes]);
};
