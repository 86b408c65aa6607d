/** Things that the engine does by rule. */
export type Skill =
  | 'small_talk'
  | 'identity'
  | 'echo'
  | 'count'
  | 'letters'
  | 'lines'
  | 'memory'
  | 'clock'
  | 'summary'
  | 'keywords';

/** The sentences of the engine in one language. */
export interface Replies {
  readonly greeting: string;
  readonly thanks: string;
  readonly farewell: string;
  readonly identity: string;
  readonly abilities: string;
  readonly unable: string;
  readonly missing: string;
  readonly images: string;
  readonly translate: string;
  readonly result: (label: string) => string;
  readonly toolFailed: (label: string) => string;
  readonly emptyResult: string;
  readonly youSaid: (text: string) => string;
  readonly youSaidAll: string;
  readonly youSaidNothing: string;
  readonly iSaid: (text: string) => string;
  readonly yourName: (name: string) => string;
  readonly nameNoted: (name: string) => string;
  readonly noName: string;
  readonly noted: string;
  readonly today: (date: Date) => string;
  readonly time: (date: Date) => string;
  readonly divisionByZero: (expression: string) => string;
  readonly tooLarge: (expression: string) => string;
  readonly words: (count: number) => string;
  readonly characters: (count: number, withoutBlanks: number) => string;
  readonly lines: (count: number) => string;
  /** What it tells of its way to an answer, when it is to think. */
  readonly trace: {
    readonly asked: (text: string) => string;
    readonly language: string;
    readonly arithmetic: (expression: string) => string;
    readonly searching: (passages: number, concepts: string) => string;
    readonly candidate: (mark: string, score: string, text: string) => string;
    readonly enough: string;
    readonly notEnough: string;
    readonly tool: (names: string) => string;
    readonly results: (count: number) => string;
    readonly skill: (name: string) => string;
    readonly unable: string;
    readonly schema: string;
    readonly skills: Readonly<Record<Skill, string>>;
  };
}
