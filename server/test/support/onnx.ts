// Writes small ONNX models, so that tests have real ones. Source: the ONNX project, onnx.proto3 (numbers of fields).

/** A field of a message: a number (varint), bytes or text. */
type Field = readonly [number: number, value: number | Uint8Array | string];

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}

function message(...fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'number') return [varint(number * 8), varint(value)];
      const bytes = Buffer.from(value as Uint8Array);
      return [varint(number * 8 + 2), varint(bytes.length), bytes];
    }),
  );
}

const FLOAT = 1;
const INT64 = 7;
const kinds = { float: FLOAT, int64: INT64 } as const;

interface Value {
  readonly name: string;
  readonly type: keyof typeof kinds;
  /** Names of sizes that differ from call to call. */
  readonly shape: readonly (number | string)[];
}

interface Constant {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array | BigInt64Array;
}

interface Node {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly output: string;
  /** Whole numbers, or lists of them. */
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
}

export interface OnnxModel {
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
  readonly constants: readonly Constant[];
  readonly nodes: readonly Node[];
  readonly metadata: Readonly<Record<string, string>>;
}

const valueOf = ({ name, type, shape }: Value) =>
  message(
    [1, name],
    [
      2,
      message([
        1,
        message(
          [1, kinds[type]],
          [
            2,
            message(
              ...shape.map((size): Field => [1, typeof size === 'number' ? message([1, size]) : message([2, size])]),
            ),
          ],
        ),
      ]),
    ],
  );

const constantOf = ({ name, shape, values }: Constant) =>
  message(
    ...shape.map((size): Field => [1, size]),
    [2, values instanceof Float32Array ? FLOAT : INT64],
    [8, name],
    [9, new Uint8Array(values.buffer, values.byteOffset, values.byteLength)],
  );

const INT = 2;
const INTS = 7;

const nodeOf = ({ op, inputs, output, attributes = {} }: Node) =>
  message(
    ...inputs.map((name): Field => [1, name]),
    [2, output],
    [4, op],
    ...Object.entries(attributes).map(([name, value]): Field => [
      5,
      typeof value === 'number'
        ? message([1, name], [3, value], [20, INT])
        : message([1, name], ...value.map((one): Field => [8, one]), [20, INTS]),
    ]),
  );

const IR_VERSION = 8;
const OPSET = 13;

/** The bytes of a model. */
export const writeOnnx = ({ inputs, outputs, constants, nodes, metadata }: OnnxModel): Buffer =>
  message(
    [1, IR_VERSION],
    [
      7,
      message(
        ...nodes.map((one): Field => [1, nodeOf(one)]),
        [2, 'graph'],
        ...constants.map((one): Field => [5, constantOf(one)]),
        ...inputs.map((one): Field => [11, valueOf(one)]),
        ...outputs.map((one): Field => [12, valueOf(one)]),
      ),
    ],
    [8, message([2, OPSET])],
    ...Object.entries(metadata).map(([key, value]): Field => [14, message([1, key], [2, value])]),
  );
