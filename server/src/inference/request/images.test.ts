import { describe, expect, test } from 'vitest';
import { type FetchImage, inlineImages, isRemote } from './images.ts';

const bodyOf = (...urls: readonly string[]) =>
  Buffer.from(
    JSON.stringify({
      messages: [
        { role: 'system', content: 'text' },
        {
          role: 'user',
          content: [{ type: 'text', text: 'Look' }, ...urls.map((url) => ({ type: 'image_url', image_url: { url } }))],
        },
      ],
    }),
  );
const fetched: FetchImage = () => Promise.resolve({ bytes: Buffer.from('abcd'), type: 'image/png' });
const inline = (body: Buffer, more: Partial<Parameters<typeof inlineImages>[1]> = {}) =>
  inlineImages(body, { fetchImage: fetched, maxBytes: 100_000, signal: new AbortController().signal, ...more });

describe('images that are given by address', () => {
  test('are put into the body in their places, others are left', async () => {
    const body = await inline(
      bodyOf('https://a.example/1.png', 'data:image/gif;base64,AA==', 'HTTP://a.example/2.png'),
    );
    const data = 'data:image/png;base64,YWJjZA==';
    expect(JSON.parse(body.toString())).toEqual(
      JSON.parse(bodyOf(data, 'data:image/gif;base64,AA==', data).toString()),
    );
    expect(['http://a', 'HTTPS://a', 'data:image/png;base64,', 'ahttp://a', 'httpx://a'].map(isRemote)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test('are 16 at most', async () => {
    const many = (count: number) => bodyOf(...Array<string>(count).fill('https://a.example/1.png'));
    await expect(inline(many(16))).resolves.toBeInstanceOf(Buffer);
    await expect(inline(many(17))).rejects.toMatchObject({ code: 'invalid_request', param: 'messages' });
  });

  test('fit as long as the body with them is no larger than it may be, to the byte', async () => {
    const body = bodyOf('https://a.example/1.png');
    // Four bytes are eight characters of base64.
    const whole = body.length + 8;
    await expect(inline(body, { maxBytes: whole })).resolves.toBeInstanceOf(Buffer);
    await expect(inline(body, { maxBytes: whole - 1 })).rejects.toMatchObject({
      code: 'too_large',
      param: 'messages[1].content[1].image_url.url',
    });
    const two = bodyOf('https://a.example/1.png', 'https://a.example/2.png');
    await expect(inline(two, { maxBytes: two.length + 15 })).rejects.toMatchObject({
      param: 'messages[1].content[2].image_url.url',
    });
  });

  test('that cannot be fetched are named, and an end of the call is no failure of theirs', async () => {
    const fetchImage: FetchImage = () => Promise.reject(new Error('no such host'));
    await expect(inline(bodyOf('https://a.example/1.png'), { fetchImage })).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'messages[1].content[1].image_url.url cannot be fetched: no such host',
    });
    const why = new Error('gone');
    await expect(
      inline(bodyOf('https://a.example/1.png'), { fetchImage, signal: AbortSignal.abort(why) }),
    ).rejects.toBe(why);
  });
});
