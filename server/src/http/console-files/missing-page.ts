/** What is shown where the console is not built. It tells nothing of this installation, as anybody may see it. */
export const missingPage = (nonce: string): string => `<!doctype html>
<html lang="ko">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>AI Studio</title>
<style nonce="${nonce}">
body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.7 system-ui,-apple-system,"Apple SD Gothic Neo","Malgun Gothic","Noto Sans KR",sans-serif;word-break:keep-all}
main{max-width:34rem;padding:2rem}h1{font-size:1.4rem;margin:0 0 .5rem}section+section{margin-top:2rem;padding-top:2rem;border-top:1px solid GrayText}
code{font-family:ui-monospace,Menlo,monospace;font-size:.9em}
</style>
</head>
<body>
<main>
<section>
<h1>웹 콘솔이 아직 준비되지 않았습니다</h1>
<p>API는 그대로 쓸 수 있습니다. 운영자는 프로젝트 폴더에서 <code>npm run console</code>을 실행하고 이 페이지를 새로 고치세요. 서비스를 다시 시작할 필요는 없습니다. 만들지 못한 까닭은 그 터미널에 나옵니다.</p>
</section>
<section lang="en">
<h1>The web console is not ready</h1>
<p>The API works all the same. The operator runs <code>npm run console</code> in the project's folder and reloads this page; the service need not be restarted. That terminal says why it could not be built.</p>
</section>
</main>
</body>
</html>
`;
