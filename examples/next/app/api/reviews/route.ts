export async function GET() {
  // As slow as a real one may be: the page does not wait for it.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  return Response.json([
    { id: '1', text: 'It weaves patterns </script>', author: { id: '1', name: 'Ada Lovelace' } },
  ]);
}
