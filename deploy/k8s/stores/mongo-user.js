// Runs once, when MongoDB starts with empty data: the user of the processes, who may use their databases and no other.
const databases = ['gateway', 'pricing', 'commerce', 'cart', 'events'];

db.getSiblingDB('admin').createUser({
  user: 'event_commerce',
  pwd: process.env.MONGO_PASSWORD,
  roles: databases.map((name) => ({ role: 'readWrite', db: `event_commerce_${name}` })),
});
