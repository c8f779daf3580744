from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("practice", "0003_order_of_names"),
    ]

    operations = [
        migrations.AddField(
            model_name="practicegame",
            name="opened",
            field=models.DateTimeField(null=True),
        ),
    ]
