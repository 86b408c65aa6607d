import { ESPEAK_MODEL } from '../../compose/speech.ts';
import type { Locale } from '../../config/index.ts';
import type { Catalogue } from '../../models/catalogue.ts';
import { isBuiltinOnly } from '../../models/first-choice.ts';
import { configSnippet, type LocalServer } from './probe.ts';

/** Content of the start banner. */
export interface StartupInfo {
  readonly version: string;
  /** Such as `http://127.0.0.1:8080`, without a slash at the end. */
  readonly address: string;
  readonly workers: number;
  /** Where the first administrator makes their account; null when there is one. */
  readonly setupUrl: string | null;
  readonly database: string;
  readonly dataDir: string;
  readonly configFile: string | null;
  readonly catalogue: Catalogue;
  /** The key to be shown once; null when there is none to show. */
  readonly key: string | null;
  /** Whether this start made the installation. */
  readonly first: boolean;
  readonly found: readonly LocalServer[];
  readonly milliseconds: number;
}

const texts = {
  en: {
    ready: 'AI Studio is ready',
    listens: 'Listens on',
    api: 'OpenAI base URL',
    console: 'Console',
    setup: "Nobody has an account yet. Open this link once to make the administrator's:",
    docs: 'API page',
    data: 'Data',
    config: 'Configuration',
    defaults: 'defaults (copy studio.example.yaml to studio.yaml to change them)',
    keyTitle: 'Your API key. It is shown this once; keep it:',
    tryIt: 'Try it:',
    prompt: 'Hello! What can you do?',
    models: 'Models',
    builtin:
      'built-in engine: always there, no language model. It greets, calculates, answers from given context, and calls tools.',
    connect:
      'For real answers connect a model server (vLLM, SGLang, llama.cpp, Ollama, LM Studio, any OpenAI-format API):\n    docs/guide/connect-a-model-server.md has it in three lines.\n    Or run a model on this machine: npm run studio -- models pull qwen3-4b (docs/guide/local-models.md).',
    voice: 'For a Korean voice: npm run studio -- speech pull supertonic-3 (docs/reference/speech.md).',
    found: 'Found on this machine. To use it put this into studio.yaml and start again:',
    more: 'Keys, models, trouble: npm run studio -- help',
    stop: 'Ctrl-C stops the service.',
  },
  ko: {
    ready: 'AI Studio가 준비되었습니다',
    listens: '접속 주소',
    api: 'OpenAI 기본 URL',
    console: '콘솔',
    setup: '아직 계정이 없습니다. 이 링크를 한 번 열어 관리자 계정을 만드세요:',
    docs: 'API 문서',
    data: '데이터',
    config: '설정',
    defaults: '기본값 (바꾸려면 studio.example.yaml을 studio.yaml로 복사하세요)',
    keyTitle: 'API 키입니다. 지금 한 번만 표시되니 보관하세요:',
    tryIt: '바로 써 보기:',
    prompt: '안녕하세요! 무엇을 할 수 있나요?',
    models: '모델',
    builtin:
      '내장 엔진: 언제나 동작하지만 언어 모델은 아닙니다. 인사, 계산, 주어진 문맥에서 답 찾기, 도구 호출을 합니다.',
    connect:
      '실제 언어 모델을 쓰려면 모델 서버(vLLM, SGLang, llama.cpp, Ollama, LM Studio, OpenAI 형식 API)를 연결하세요:\n    docs/guide/connect-a-model-server.md 에 세 줄로 적혀 있습니다.\n    또는 이 컴퓨터에서 모델을 실행하세요: npm run studio -- models pull qwen3-4b (docs/guide/local-models.md)',
    voice: '한국어 목소리를 쓰려면: npm run studio -- speech pull supertonic-3 (docs/reference/speech.md)',
    found: '이 컴퓨터에서 찾았습니다. 아래를 studio.yaml에 넣고 다시 시작하면 사용합니다:',
    more: '키, 모델, 문제 해결: npm run studio -- help',
    stop: 'Ctrl-C를 누르면 멈춥니다.',
  },
} as const satisfies Record<Locale, object>;

const indent = (text: string, by: number) => text.replaceAll(/^/gm, ' '.repeat(by));

/** Which engine answers for which chat models, one line an engine. */
function modelLines(catalogue: Catalogue, builtin: string): string[] {
  const byEngine = new Map<string, string[]>();
  for (const { id, kind, engines } of catalogue.list()) {
    if (kind !== 'chat') continue;
    const names = [...new Set(engines.map(({ engine }) => engine))].join(' + ');
    byEngine.set(names, [...(byEngine.get(names) ?? []), id]);
  }
  return [...byEngine].flatMap(([engine, ids]) => [
    `    ${ids.join(', ')}`,
    `      → ${engine === 'builtin' ? builtin : engine}`,
  ]);
}

/** A request that works when it is pasted into a shell. */
export function curlLine(address: string, key: string, model: string, prompt: string): string {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: prompt }] });
  return [
    `curl ${address}/v1/chat/completions \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${body.replaceAll("'", String.raw`'\''`)}'`,
  ].join('\n');
}

/** Renders what a start prints: everything a newcomer needs the first time, a few lines on later starts. */
export function banner(started: StartupInfo, locale: Locale): string {
  const t = texts[locale];
  const { address, catalogue, key, first, found } = started;
  const usesBuiltin = catalogue.list().some((model) => model.kind === 'chat' && isBuiltinOnly(model));
  // A program that says anything in the voice of a machine is not what is meant.
  const hasVoice = catalogue.list().some(({ id, kind }) => kind === 'speech' && id !== ESPEAK_MODEL);
  const lines = [
    '',
    `  ${t.ready}  (${started.version}, ${(started.milliseconds / 1000).toFixed(1)} s)`,
    '',
    `  ${t.listens}: ${address}${started.workers > 1 ? `  (${started.workers} workers)` : ''}`,
    `  ${t.api}: ${address}/v1`,
    `  ${t.console}: ${address}/console`,
    `  ${t.docs}: ${address}/docs`,
    `  ${t.data}: ${started.dataDir}  (${started.database})`,
    `  ${t.config}: ${started.configFile ?? t.defaults}`,
  ];
  if (started.setupUrl !== null) lines.push('', `  ${t.setup}`, '', `    ${started.setupUrl}`);
  if (first) {
    if (key !== null) lines.push('', `  ${t.keyTitle}`, '', `    ${key}`);
    lines.push(
      '',
      `  ${t.tryIt}`,
      '',
      indent(curlLine(address, key ?? '$STUDIO_INIT_API_KEY', catalogue.defaultModel, t.prompt), 4),
    );
    lines.push('', `  ${t.models}:`, ...modelLines(catalogue, t.builtin));
    if (usesBuiltin) lines.push('', `  ${t.connect}`);
    if (!hasVoice) lines.push('', `  ${t.voice}`);
  }
  if (found.length > 0) lines.push('', `  ${t.found}`, '', indent(configSnippet(found, catalogue.defaultModel), 4));
  lines.push('', `  ${t.more}`, `  ${t.stop}`, '');
  return lines.join('\n');
}
