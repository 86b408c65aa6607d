import type { KeyboardEvent } from 'react';

/** Where fingers are the only pointer the keyboard of the screen has no other key for a new line than Enter. */
export const hasTouchKeyboard = (): boolean => matchMedia('(hover: none) and (pointer: coarse)').matches;

/** Whether there is room for a hint of one line that tells of signs: a field does not say that it was cut off. */
export const hasRoomForHint = (): boolean => !hasTouchKeyboard() && matchMedia('(min-width: 30em)').matches;

/**
 * Enter sends, Shift+Enter inserts a line break; with a touch keyboard Enter does, and the button sends. An Enter that ends a
 * syllable of a Korean (or other) input method belongs to the input method: some browsers tell by `isComposing`, some by key code
 * 229.
 */
export const isSendKey = ({ key, shiftKey, ctrlKey, metaKey, nativeEvent }: KeyboardEvent): boolean =>
  key === 'Enter' &&
  !shiftKey &&
  !nativeEvent.isComposing &&
  // oxlint-disable-next-line typescript/no-deprecated
  nativeEvent.keyCode !== 229 &&
  (ctrlKey || metaKey || !hasTouchKeyboard());
