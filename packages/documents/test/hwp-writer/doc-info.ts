import { counted, node, numbers, writeRecords } from './records.ts';
import type { RecordNode } from './records.ts';

export interface WrittenCharShape {
  readonly size?: number;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly strike?: boolean;
  readonly strikeShape?: number;
  readonly script?: 'super' | 'sub';
  readonly colour?: number;
}

export interface WrittenParaShape {
  readonly head?: 'outline' | 'number' | 'bullet';
  readonly level?: number;
  readonly headId?: number;
  readonly breakBefore?: boolean;
  readonly checked?: boolean;
}

export interface WrittenDocInfo {
  readonly charShapes?: readonly WrittenCharShape[];
  readonly paraShapes?: readonly WrittenParaShape[];
  readonly styles?: readonly string[];
  /** Patterns and kinds of the seven levels. */
  readonly numberings?: readonly (readonly (readonly [pattern: string, kind: number])[])[];
  /** A bullet, or one that can be ticked with its sign where it is. */
  readonly bullets?: readonly (string | readonly [sign: string, checked: string])[];
  /** Whether a fill has a colour. */
  readonly fills?: readonly boolean[];
  readonly tracked?: boolean;
  /** How many embedded objects there are: streams `BinData/BIN0001.OLE` and so on. */
  readonly objects?: number;
}

const headKinds = { outline: 1, number: 2, bullet: 3 } as const;
const white = 0xffffff;

const charShape = (shape: WrittenCharShape): RecordNode => {
  const properties =
    (shape.italic ? 1 : 0) |
    (shape.bold ? 2 : 0) |
    (shape.script === 'super' ? 1 << 15 : 0) |
    (shape.script === 'sub' ? 1 << 16 : 0) |
    (shape.strike ? 1 << 18 : 0) |
    ((shape.strikeShape ?? 0) << 26);
  const rest = numbers(
    [4, shape.size ?? 1000],
    [4, properties],
    [2, 0],
    [4, shape.colour ?? 0],
    [4, 0],
    [4, -1],
    [4, 0],
  );
  return node(0x15, Buffer.concat([Buffer.alloc(42), rest]));
};

const paraShape = (shape: WrittenParaShape): RecordNode => {
  const kind = shape.head === undefined ? 0 : headKinds[shape.head];
  const properties = (kind << 23) | (((shape.level ?? 0) & 7) << 25) | (shape.breakBefore ? 1 << 19 : 0);
  const data = Buffer.concat([
    numbers([4, properties]),
    Buffer.alloc(26),
    numbers([2, shape.headId ?? 0]),
    Buffer.alloc(10),
    numbers([4, shape.checked ? 1 << 7 : 0]),
    Buffer.alloc(8),
  ]);
  return node(0x19, data);
};

const numbering = (levels: readonly (readonly [string, number])[]): RecordNode =>
  node(
    0x17,
    Buffer.concat([
      ...Array.from({ length: 7 }, (_, level) => {
        const [pattern, kind] = levels[level] ?? ['', 0];
        return Buffer.concat([numbers([4, kind << 5], [4, 0], [4, -1]), counted(pattern)]);
      }),
      numbers([2, 1]),
    ]),
  );

const bullet = (one: string | readonly [string, string]): RecordNode => {
  const [sign, checked] = typeof one === 'string' ? [one, null] : one;
  const head = [numbers([4, checked === null ? 8 : 0x28], [4, 0], [4, -1]), Buffer.from(sign, 'utf16le')];
  return node(
    0x18,
    Buffer.concat(checked === null ? head : [...head, Buffer.alloc(9), Buffer.from(checked, 'utf16le')]),
  );
};

const fill = (coloured: boolean): RecordNode =>
  node(0x14, Buffer.concat([Buffer.alloc(32), numbers([4, 1], [4, coloured ? 0x8080ff : white], [4, 0], [4, -1])]));

export const writeDocInfo = (info: WrittenDocInfo): Buffer =>
  writeRecords([
    node(0x10, Buffer.alloc(26)),
    node(0x11, Buffer.alloc(60), [
      ...Array.from({ length: info.objects ?? 0 }, (_, index) =>
        node(0x12, Buffer.concat([numbers([2, 2], [2, index + 1]), counted('OLE')])),
      ),
      ...(info.fills ?? []).map(fill),
      ...(info.charShapes ?? [{}]).map(charShape),
      ...(info.numberings ?? []).map(numbering),
      ...(info.bullets ?? []).map(bullet),
      ...(info.paraShapes ?? [{}]).map(paraShape),
      ...(info.styles ?? ['바탕글']).map((name) =>
        node(0x1a, Buffer.concat([counted(name), counted(''), Buffer.alloc(8)])),
      ),
    ]),
    ...(info.tracked ? [node(0x60, Buffer.alloc(16))] : []),
  ]);
