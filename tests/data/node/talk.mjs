const [command, ...args] = process.argv.slice(2);

// Opens a talk with the server that the command names, lists its tools and calls one.
export async function talk(Client, Transport, options = {}) {
  const client = new Client({ name: 'lesson', version: '1.0' }, options);
  await client.connect(new Transport({ command, args }));
  await client.listTools();
  const order = { name: 'place_order', arguments: { table: 6, dish: 'steak' } };
  console.log(JSON.stringify(await client.callTool(order)));
  await client.close();
}
