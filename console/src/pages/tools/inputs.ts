/** One argument of a tool, as people see it. */
export interface ToolInput {
  readonly name: string;
  readonly description: string;
  /** Such as `string` or `integer | null`; empty where anything goes. */
  readonly type: string;
  readonly required: boolean;
  /** What it may be, where that is a list. */
  readonly options: readonly string[] | null;
  /** Written as JSON. */
  readonly json: boolean;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function optionsOf(schema: Fields, types: readonly string[]): readonly string[] | null {
  const { enum: listed } = schema;
  if (Array.isArray(listed))
    return listed.filter((one) => one !== null).map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  return types.length === 1 && types[0] === 'boolean' ? ['true', 'false'] : null;
}

/** The arguments that a tool takes, by the JSON Schema of its parameters; those that are needed first. */
export function inputsOf(parameters: unknown): readonly ToolInput[] {
  if (!isFields(parameters) || !isFields(parameters['properties'])) return [];
  const needed = new Set(listIn(parameters['required']));
  const inputs = Object.entries(parameters['properties']).map(([name, given]) => {
    const schema = isFields(given) ? given : {};
    const { type, description } = schema;
    const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string');
    const simple = types.length > 0 && types.every((one) => one !== 'object' && one !== 'array');
    const options = optionsOf(schema, types);
    return {
      name,
      description: typeof description === 'string' ? description : '',
      type: types.join(' | '),
      required: needed.has(name),
      options,
      json: !simple && options === null,
    };
  });
  return inputs.toSorted((a, b) => Number(b.required) - Number(a.required));
}

function valueOf({ json }: ToolInput, text: string): unknown {
  if (!json) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The service says what is wrong with it.
    return text;
  }
}

/** What is sent of the texts of a form. The service takes texts for numbers and the like, so only JSON is read here. */
export const argumentsOf = (
  inputs: readonly ToolInput[],
  texts: Readonly<Record<string, string>>,
): Record<string, unknown> =>
  Object.fromEntries(
    inputs.flatMap((input) => {
      const text = texts[input.name] ?? '';
      return text === '' ? [] : [[input.name, valueOf(input, text)]];
    }),
  );
