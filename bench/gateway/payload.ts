import { createHash } from 'node:crypto';

/** What a body has beside the texts that are made for it. */
const FRAME_BYTES = 520;

/** Sizes of request bodies, in bytes; that of 4 kB by its texts. */
export const bodySizes = { '1.3 kB': 1_300, '4 kB': 4_000 + FRAME_BYTES, '43 kB': 43_000, '325 kB': 325_000 } as const;
export type BodySize = keyof typeof bodySizes;

/** Before the number of each token in a stream; stands nowhere else in a reply. */
export const TOKEN_MARK = '~';

const words =
  '정부 데이터 문서 요약 보고서 예산 시행령 담당자 검토 결과 첨부 회의 일정 서비스 이용자 개인정보 보호 지침 개정 사항 안내 the model context API latency 2026년 제3조 별표'.split(
    ' ',
  );

/** Text of about `bytes` bytes of UTF-8, the same for the same seed. */
function koreanText(bytes: number, seed: number): string {
  let state = seed + 1;
  let text = '';
  let size = 0;
  while (size < bytes) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const word = words[state % words.length] ?? '';
    const end = state % 11 === 0 ? '.\n' : ' ';
    text += word + end;
    size += Buffer.byteLength(word) + end.length;
  }
  return text;
}

/** Sentences with three values of one person, of types that a guard looks for by default. */
function personalText(seed: number): string {
  const serial = String(100_000 + ((seed * 7_919) % 900_000));
  return [
    `\n민원인의 주민등록번호는 900101-1${serial}이고,`,
    `환급 계좌는 신한은행 110-${serial.slice(0, 3)}-${serial}, 연락처는 010-${serial.slice(0, 4)}-5678입니다.`,
    `여권번호 M${serial}12는 확인했습니다.`,
  ].join(' ');
}

interface BodyOptions {
  readonly model: string;
  readonly stream: boolean;
  readonly seed: number;
  /** Whether personal values stand in the question. */
  readonly personal?: boolean;
}

/** A chat request of about `bytes` bytes: instructions, an earlier turn, and a question with its context. */
export function requestBody(bytes: number, { model, stream, seed, personal = false }: BodyOptions): Buffer {
  const said = personal ? personalText(seed) : '';
  const room = bytes - FRAME_BYTES - Buffer.byteLength(said);
  const messages = [
    { role: 'system', content: '당신은 행정 문서를 다루는 도우미입니다. 근거를 밝히고 "한국어"로 간결하게 답하세요.' },
    { role: 'user', content: koreanText(room * 0.2, seed) },
    { role: 'assistant', content: koreanText(room * 0.1, seed + 1) },
    { role: 'user', content: koreanText(room * 0.7, seed + 2) + said },
  ];
  return Buffer.from(
    JSON.stringify({ model, messages, temperature: 0.7, top_p: 0.95, max_tokens: 2048, stream, user: `user-${seed}` }),
  );
}

/** The same request in the form of the Responses interface. */
export function responseBody(bytes: number, options: BodyOptions): Buffer {
  const { messages, max_tokens, user, ...same } = JSON.parse(requestBody(bytes, options).toString('utf8')) as Record<
    string,
    unknown
  >;
  return Buffer.from(JSON.stringify({ ...same, input: messages, max_output_tokens: max_tokens, user }));
}

/** What the engine must find in a request whatever a gateway did to it. */
export function messagesDigest(body: Buffer): string {
  const { messages } = JSON.parse(body.toString('utf8')) as { messages: { role: string; content: string }[] };
  const said = messages.map(({ role, content }) => [role, content]);
  return createHash('sha256').update(JSON.stringify(said)).digest('hex');
}

const ID = 'chatcmpl-7f3a1c52d0e94b6c8a51f2d6b7e80943';

/** A whole reply of about 1 kB, of the shape vLLM 0.16 sends. Source: its OpenAI-compatible server's response models. */
export function wholeReply(model: string, content: string): string {
  return JSON.stringify({
    id: ID,
    object: 'chat.completion',
    created: 1_790_000_000,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content,
          refusal: null,
          annotations: null,
          audio: null,
          function_call: null,
          tool_calls: [],
          reasoning: koreanText(180, 5),
        },
        logprobs: null,
        finish_reason: 'stop',
        stop_reason: null,
        token_ids: null,
      },
    ],
    service_tier: null,
    system_fingerprint: null,
    usage: { prompt_tokens: 412, total_tokens: 598, completion_tokens: 186, prompt_tokens_details: null },
    prompt_logprobs: null,
    prompt_token_ids: null,
    kv_transfer_params: null,
  });
}

/** Answer text that makes the whole reply about 1 kB. */
export const replyText = koreanText(380, 9);

/** A reply with the digest of the request in place of an answer, by which a gateway is checked. */
export const digestReply = (model: string, body: Buffer) => wholeReply(model, `digest:${messagesDigest(body)}`);

/** How the text of a stream is keyed: all of it answer, or nine tenths of it reasoning under the key of vLLM 0.16. */
export type StreamText = 'content' | 'reasoning';

function chunk(model: string, choice: object): string {
  const choices = JSON.stringify([choice]);
  return `data: {"id":"${ID}","object":"chat.completion.chunk","created":1790000000,"model":"${model}","choices":${choices}}\n\n`;
}

/** The events of a stream of `tokens` numbered tokens, in order: role, tokens, finish, end. */
export function streamEvents(model: string, tokens: number, text: StreamText): string[] {
  const first = { index: 0, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null };
  const events = [chunk(model, first)];
  const reasoning = text === 'reasoning' ? Math.floor(tokens * 0.9) : 0;
  for (let token = 0; token < tokens; token += 1) {
    const said = `${words[token % 20] ?? ''}${TOKEN_MARK}${token} `;
    const delta = token < reasoning ? { reasoning: said } : { content: said };
    events.push(chunk(model, { index: 0, delta, logprobs: null, finish_reason: null, token_ids: null }));
  }
  const last = {
    index: 0,
    delta: { content: '' },
    logprobs: null,
    finish_reason: 'stop',
    stop_reason: null,
    token_ids: null,
  };
  events.push(chunk(model, last), 'data: [DONE]\n\n');
  return events;
}
