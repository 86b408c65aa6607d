/** Marks around a model's thinking. */
export interface ThinkTags {
  readonly open: string;
  readonly close: string;
}

/** What the prompts of ChatML models end with. */
const ASSISTANT_TURN = '<|im_start|>assistant';

/** Tags that models put around their thinking, as their chat templates have them. */
export const thinkTags = {
  // DeepSeek R1, Qwen 3, GLM, most others
  think: { open: '<think>', close: '</think>' },
  thinking: { open: '<thinking>', close: '</thinking>' },
  // EXAONE Deep
  thought: { open: '<thought>', close: '</thought>' },
  reasoning: { open: '<reasoning>', close: '</reasoning>' },
  // Mistral Magistral
  magistral: { open: '[THINK]', close: '[/THINK]' },
  // Seed-OSS
  seed: { open: '<seed:think>', close: '</seed:think>' },
  // Command A
  command: { open: '<|START_THINKING|>', close: '<|END_THINKING|>' },
  // HyperCLOVA X Think: thinking is a message of its own, of the role `assistant/think`; the answer is the next
  hyperclova: { open: `${ASSISTANT_TURN}/think\n`, close: `<|im_end|>\n${ASSISTANT_TURN}\n` },
} as const satisfies Record<string, ThinkTags>;

/** Thinking of Gemma 4, a channel of its own. Source: its chat template. */
export const gemmaChannel = { open: '<|channel>thought\n', close: '<channel|>' } as const satisfies ThinkTags;

/** Thinking of Solar Open, a message of its own: the answer and the calls are the next. Source: its chat template. */
export const solarMessage = {
  open: '<|think|>',
  close: '<|end|><|begin|>assistant',
} as const satisfies ThinkTags;

/** The tags of HyperCLOVA X Think after a prompt that ends with the turn's beginning. A call may follow in the line of the closing one. */
export const hyperclovaInTurn = {
  open: '/think\n',
  close: `<|im_end|>\n${ASSISTANT_TURN}`,
} as const satisfies ThinkTags;
