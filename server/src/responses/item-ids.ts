import type { InputItem } from '@ai-studio/contract/responses/items.ts';
import { hexId } from '../kernel/ids.ts';

export type WithId<T> = T & { readonly id: string };

const newId = ({ type }: InputItem) => `${type === 'message' ? 'msg' : 'item'}_${hexId()}`;

/** Items with an id each, as they are listed and referred to. */
export const withIds = (items: readonly InputItem[]): readonly WithId<InputItem>[] =>
  items.map((item) => ({ ...item, id: item.id || newId(item) }));
